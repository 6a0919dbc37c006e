//! How many random cases a test runs.

/// `URIGREP_CASES` in the environment, or so many.
pub fn cases(otherwise: u32) -> u32 {
    match std::env::var("URIGREP_CASES") {
        Ok(number) => number.parse().expect("URIGREP_CASES is a number"),
        Err(_) => otherwise,
    }
}
