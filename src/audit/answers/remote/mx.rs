//! Looks up the MX records of a domain, which say that it takes mail (RFC 5321 section 5.1).
//!
//! The system resolves addresses only, so this is a small client for one question (RFC 1035). The
//! address records of a domain without MX records are left to the system.

use std::io;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::time::Duration;

use crate::audit::Fault;

/// Type MX and class IN (RFC 1035 section 3.2).
const MX: u16 = 15;
const IN: u16 = 1;

/// Response codes (RFC 1035 section 4.1.1).
const NO_ERROR: u8 = 0;
const NAME_ERROR: u8 = 3;

const NAME_SERVERS: &str = "/etc/resolv.conf";

/// Answer about the MX records of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MailHosts {
    /// There are some.
    Some,
    /// There are none, so the domain itself takes mail if it has an address.
    None,
    /// A record says that the domain takes no mail (RFC 7505).
    Refused,
}

/// Returns the name servers of the system.
pub(super) fn name_servers() -> Vec<SocketAddr> {
    let text = std::fs::read_to_string(NAME_SERVERS).unwrap_or_default();
    parse_name_servers(&text)
}

fn parse_name_servers(text: &str) -> Vec<SocketAddr> {
    let words = text.lines().filter_map(|line| line.trim().strip_prefix("nameserver"));
    let addresses = words.filter_map(|word| word.trim().parse::<IpAddr>().ok());
    addresses.map(|address| SocketAddr::new(address, 53)).collect()
}

/// Asks for the MX records of a domain; each server gets the time.
///
/// # Errors
/// [`Fault::NoHost`] if the domain does not exist.
pub(super) fn mail_hosts(
    domain: &str,
    servers: &[SocketAddr],
    timeout: Duration,
) -> Result<MailHosts, Fault> {
    // It need not be secret: the answer is compared with the whole question, and a wrong answer
    // about mail does no harm.
    let id = (std::process::id() as u16) ^ (domain.len() as u16).rotate_left(8);
    let question = question(domain, id).ok_or(Fault::NoHost)?;
    let mut answer = Err(Fault::NameServer);
    for server in servers {
        let reply = ask(&question, *server, timeout);
        answer = reply.map_err(|_| Fault::NameServer).and_then(|reply| read(&reply, &question));
        if answer != Err(Fault::NameServer) {
            break;
        }
    }
    answer
}

/// Returns the query for the MX records of a domain; `None` if it is not a name.
fn question(domain: &str, id: u16) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    // One question, and recursion desired.
    for word in [id, 0x0100, 1, 0, 0, 0] {
        message.extend_from_slice(&word.to_be_bytes());
    }
    for label in domain.trim_end_matches('.').split('.') {
        // A label has at most 63 bytes (RFC 1035 section 2.3.4).
        let length = u8::try_from(label.len()).ok().filter(|length| (1..=63).contains(length))?;
        message.push(length);
        message.extend_from_slice(label.as_bytes());
    }
    message.push(0);
    message.extend_from_slice(&MX.to_be_bytes());
    message.extend_from_slice(&IN.to_be_bytes());
    // A name has at most 255 bytes (RFC 1035 section 2.3.4). The header has 12, type and class 4.
    (message.len() <= 12 + 255 + 4).then_some(message)
}

fn ask(question: &[u8], server: SocketAddr, timeout: Duration) -> io::Result<Vec<u8>> {
    let any: SocketAddr = match server {
        SocketAddr::V4(_) => ([0, 0, 0, 0], 0).into(),
        SocketAddr::V6(_) => ([0_u16; 8], 0).into(),
    };
    let socket = UdpSocket::bind(any)?;
    // Only this server's packets arrive.
    socket.connect(server)?;
    socket.set_read_timeout(Some(timeout))?;
    socket.send(question)?;
    // An answer by UDP has at most 512 bytes (RFC 1035 section 4.2.1), unless a client offers more.
    let mut reply = vec![0; 4096];
    let length = socket.recv(&mut reply)?;
    reply.truncate(length);
    Ok(reply)
}

/// Reads a reply. A truncated one has records, too, and their number suffices.
fn read(reply: &[u8], question: &[u8]) -> Result<MailHosts, Fault> {
    let word = |at: usize| {
        let bytes = reply.get(at..at + 2)?;
        Some(u16::from_be_bytes([*bytes.first()?, *bytes.get(1)?]))
    };
    let is_answer = reply.get(..2) == question.get(..2) && word(2).is_some_and(|it| it >> 15 == 1);
    // Some servers answer with the name in another case (RFC 1035 section 2.3.3).
    let echoes = reply.get(12..question.len()).map(<[u8]>::to_ascii_lowercase);
    let asked = question.get(12..).map(<[u8]>::to_ascii_lowercase);
    let (Some(flags), Some(count), true) = (word(2), word(6), is_answer && echoes == asked) else {
        return Err(Fault::NameServer);
    };
    match (flags as u8 & 0xF, count) {
        (NAME_ERROR, _) => Err(Fault::NoHost),
        (NO_ERROR, 0) => Ok(MailHosts::None),
        (NO_ERROR, 1) if is_null(reply, question.len()) => Ok(MailHosts::Refused),
        (NO_ERROR, _) => Ok(MailHosts::Some),
        _ => Err(Fault::NameServer),
    }
}

/// True if the record at `at` is an MX record for the root (RFC 7505 section 3).
fn is_null(reply: &[u8], at: usize) -> bool {
    // A name is labels up to an empty one, or a pointer of two bytes (RFC 1035 section 4.1.4).
    let mut at = at;
    loop {
        match reply.get(at) {
            Some(0) => break at += 1,
            Some(length @ 1..=63) => at += 1 + usize::from(*length),
            Some(0xC0..) => break at += 2,
            _ => return false,
        }
    }
    // Type, class, time to live, length; then preference and name.
    let is_mx = reply.get(at..at + 2) == Some(&MX.to_be_bytes());
    // The empty name is one byte after the preference (RFC 7505 section 3).
    is_mx && reply.get(at + 8..at + 10) == Some(&[0, 3]) && reply.get(at + 12) == Some(&0)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A name server that answers once: with this code and these records.
    fn server(code: u8, records: &'static [&'static [u8]]) -> SocketAddr {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        thread::spawn(move || {
            let mut bytes = [0; 512];
            let (length, from) = socket.recv_from(&mut bytes).unwrap();
            let mut reply = bytes[..length].to_vec();
            (reply[2], reply[3]) = (0x81, 0x80 | code);
            reply[7] = records.len() as u8;
            for record in records {
                // A pointer to the question, MX, IN, and a time to live.
                reply.extend_from_slice(&[0xC0, 12, 0, 15, 0, 1, 0, 0, 0, 60]);
                reply.extend_from_slice(&(record.len() as u16).to_be_bytes());
                reply.extend_from_slice(record);
            }
            socket.send_to(&reply, from).unwrap();
        });
        address
    }

    #[test]
    fn domains_with_and_without_mail() {
        let time = Duration::from_secs(5);
        let ask = |code, records| mail_hosts("A.example", &[server(code, records)], time);
        assert_eq!(ask(NO_ERROR, &[b"\0\x0a\x04mail\xC0\x0c"]), Ok(MailHosts::Some));
        assert_eq!(ask(NO_ERROR, &[]), Ok(MailHosts::None));
        assert_eq!(ask(NO_ERROR, &[b"\0\0\0"]), Ok(MailHosts::Refused));
        assert_eq!(ask(NAME_ERROR, &[]), Err(Fault::NoHost));
        assert_eq!(ask(2, &[]), Err(Fault::NameServer));
        // The next server is tried.
        let both = [server(2, &[]), server(NO_ERROR, &[])];
        assert_eq!(mail_hosts("a.example", &both, time), Ok(MailHosts::None));
        assert_eq!(mail_hosts("a..example", &both, time), Err(Fault::NoHost));
        assert_eq!(mail_hosts("a.example", &[], time), Err(Fault::NameServer));
    }

    #[test]
    fn replies_are_not_trusted() {
        let question = question("a.example", 7).unwrap();
        for length in 0..question.len() {
            assert_eq!(read(&question[..length], &question), Err(Fault::NameServer));
        }
        assert_eq!(read(&question, &question), Err(Fault::NameServer));
        assert_eq!(
            parse_name_servers("# a\nnameserver 1.1.1.1\n nameserver ::1\nnameserver x\n"),
            ["1.1.1.1:53".parse().unwrap(), "[::1]:53".parse().unwrap()]
        );
    }
}
