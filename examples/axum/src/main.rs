//! Finds the URIs in the body of a request.
//!
//! ```text
//! cargo run --release &
//! curl --data-binary @FILE http://127.0.0.1:3000/links      # the body as a whole
//! curl --data-binary @FILE http://127.0.0.1:3000/stream     # chunk by chunk, in bounded memory
//! ```

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use futures_util::StreamExt;
use urigrep::{Finder, OwnedMatch};

static FINDER: LazyLock<Finder> = LazyLock::new(Finder::new);

/// A long search would hold up the other requests of its thread.
async fn links(body: String) -> Result<Json<Vec<OwnedMatch>>, StatusCode> {
    let search = move || FINDER.find_iter(&body).map(|m| m.into_owned()).collect();
    let found = tokio::task::spawn_blocking(search).await;
    found.map(Json).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

/// Chunks are short, so they are searched where they arrive. Returns how many URIs there are.
async fn stream(body: Body) -> Result<String, StatusCode> {
    let (mut feed, mut count) = (FINDER.feed(), 0);
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| StatusCode::BAD_REQUEST)?;
        count += feed.push(chunk).count();
    }
    count += feed.finish().count();
    Ok(format!("{count}\n"))
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route("/links", post(links)).route("/stream", post(stream));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await
}
