//! Gives the shared library its SONAME, so that programs find the version they were linked with.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Versions 0.x may break the interface with each x, as cargo-c assumes, too.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,liburigrep.so.0.2");
    }
}
