//! Probes in a Rust program: HTTP/1.1 over a bare stream that is kept for both events.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

fn main() {
    let text = std::fs::read_to_string(".dbg/login-timeout.env").unwrap_or_default();
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").to_string();
    let (url, session) = (value("DEBUG_SERVER_URL="), value("DEBUG_SESSION_ID="));
    let rest = url.strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_at(rest.find('/').expect("a path"));
    let mut stream = BufReader::new(TcpStream::connect(host).expect("a server"));
    let first = format!(
        r#"{{"sessionId":"{session}","runId":"pre-fix","hypothesisId":"D","location":"login.rs:21","msg":"[DEBUG] login","data":{{"text":"\"quoted\" back\\slash Ünïcödé 日本語 🐞","nested":[[{{}}]]}},"ts":1766000000000}}"#
    );
    for body in [first.as_str(), r#"{ "msg" : "done" }"#] {
        let length = body.len();
        write!(stream.get_mut(), "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let (mut line, mut status, mut size) = (String::new(), String::new(), 0);
        while stream.read_line(&mut line).unwrap() > 2 {
            if status.is_empty() {
                status = line.split(' ').nth(1).unwrap_or("").to_string();
            }
            if let Some(length) = line.to_lowercase().strip_prefix("content-length:") {
                size = length.trim().parse().unwrap();
            }
            line.clear();
        }
        stream.read_exact(&mut vec![0; size]).unwrap();
        println!("{status}");
    }
}
