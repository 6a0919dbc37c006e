//! Addresses that an audit must not contact on its own: those of this machine and its networks.
//!
//! A document is written by others. Without this check, a link to `http://169.254.169.254/` or a
//! redirect to a router would make an audit in CI send requests inside of a network that its author
//! can't reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// True if an address is not of the public internet (RFC 6890 and its registries).
pub(super) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        // "This network" (RFC 791), of which 0.0.0.0 is this machine.
        || a == 0
        // Shared by carriers (RFC 6598).
        || a == 100 && b & 0xC0 == 64
        // Protocol assignments (RFC 6890).
        || a == 192 && b == 0 && c == 0
        // Benchmarks (RFC 2544).
        || a == 198 && b & 0xFE == 18
        // Reserved, and the broadcast address (RFC 1112).
        || a >= 240
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded(address) {
        return is_private_v4(inner);
    }
    let [first, second, ..] = address.segments();
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        // Unique local (RFC 4193), link local (RFC 4291), site local (RFC 3879).
        || first & 0xFE00 == 0xFC00
        || first & 0xFFC0 == 0xFE80
        || first & 0xFFC0 == 0xFEC0
        // Teredo and other protocol assignments (RFC 4380, RFC 6890): an obfuscated IPv4 address.
        || first == 0x2001 && second < 0x200
        // Documentation (RFC 3849), and discarded packets (RFC 6666).
        || first == 0x2001 && second == 0xDB8
        || first == 0x0100
        // Local NAT64 (RFC 8215).
        || first == 0x64 && second == 0xFF9B
}

/// Returns the IPv4 address that a gateway or this machine would contact instead.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match [a, b, c, d, e, f] {
        // `::` and `::1` are addresses of their own.
        [0, 0, 0, 0, 0, 0] if high == 0 && low <= 1 => None,
        // IPv4-compatible and IPv4-mapped (RFC 4291 section 2.5.5), translated (RFC 2765).
        [0, 0, 0, 0, 0, 0 | 0xFFFF] | [0, 0, 0, 0, 0xFFFF, 0] => Some(v4(high, low)),
        // NAT64 (RFC 6052).
        [0x64, 0xFF9B, 0, 0, 0, 0] => Some(v4(high, low)),
        // 6to4 (RFC 3056).
        [0x2002, ..] => Some(v4(b, c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_networks_are_private() {
        for private in [
            "127.0.0.1",
            "127.255.255.254",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "0.1.2.3",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "192.0.2.1",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "::ffff:0:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:0:1::",
            "fe80::1",
            "fec0::1",
            "fd00::1",
            "ff02::1",
            "2001:db8::1",
        ] {
            assert!(is_private(private.parse().unwrap()), "{private}");
        }
        for public in [
            "1.1.1.1",
            "100.128.0.1",
            "172.32.0.1",
            "198.20.0.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
            "64:ff9b::8.8.8.8",
            "2002:808:808::",
        ] {
            assert!(!is_private(public.parse().unwrap()), "{public}");
        }
    }
}
