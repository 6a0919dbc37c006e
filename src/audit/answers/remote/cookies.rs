//! Cookies of one chain of redirects: [`Cookies`]. Some servers redirect forever without them.

use super::fetch::FetchResponse;
use super::page;

/// Most cookies of a chain, and the longest one (RFC 6265 section 6.1 asks for 4096 bytes).
const MAX_COOKIES: usize = 32;
const MAX_COOKIE_BYTES: usize = 4096;

/// Cookies, each of one origin.
// Attributes are not interpreted: a cookie goes back to the scheme and host that set it, and
// nowhere else, which is stricter than RFC 6265. Its path and age don't matter within one chain.
#[derive(Debug, Default)]
pub(super) struct Cookies(Vec<Cookie>);

#[derive(Debug)]
struct Cookie {
    origin: String,
    name: String,
    value: String,
}

impl Cookies {
    /// Takes the cookies of an answer.
    pub fn take(&mut self, url: &str, response: &FetchResponse) {
        let origin = origin(url);
        let fields = response.headers.iter().filter(|(name, _)| name == "set-cookie");
        for (_, field) in fields {
            let pair = field.split(';').next().unwrap_or_default();
            let Some((name, value)) = pair.split_once('=') else { continue };
            let (name, value) = (name.trim(), value.trim());
            // Control characters would start another field of the request.
            let is_text = pair.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            if name.is_empty() || !is_text || pair.len() > MAX_COOKIE_BYTES {
                continue;
            }
            // A cookie replaces an older one of the same name (RFC 6265 section 5.3).
            self.0.retain(|cookie| cookie.origin != origin || cookie.name != name);
            if self.0.len() < MAX_COOKIES {
                let (name, value) = (name.to_owned(), value.to_owned());
                self.0.push(Cookie { origin: origin.clone(), name, value });
            }
        }
    }

    /// Returns the value of `Cookie` for a request, if there are any cookies.
    pub fn header(&self, url: &str) -> Option<String> {
        let origin = origin(url);
        let own = self.0.iter().filter(|cookie| cookie.origin == origin);
        let pairs: Vec<_> = own.map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }
}

fn origin(url: &str) -> String {
    let scheme = url.split(':').next().unwrap_or_default();
    format!("{scheme}://{}", page::host(url))
}
