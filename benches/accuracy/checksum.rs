//! Names a text that this repository may not hold: FNV-1a, 64 bits, in hexadecimal.

/// The checksum of `bytes`. It tells texts apart; it is no protection against forgery.
pub fn checksum(bytes: &[u8]) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash =
        bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}
