//! A socket in our own hands: bytes, silence, and a real FIN or RST at the end.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::reply::{End, TakeOver};

/// A reset throws away what has not left yet; on one machine it leaves within this time.
const DRAIN: Duration = Duration::from_millis(20);
/// How long a closed connection is still read, so that late bytes of the client do not turn the FIN into a reset.
const LINGER: Duration = Duration::from_millis(500);
/// A client that does not read is not waited for longer than this.
const WRITE: Duration = Duration::from_mins(1);

/// Carries it out. Whatever the client does meanwhile is its own affair: no error comes back.
pub(crate) async fn carry_out(order: TakeOver, mut stream: TcpStream) {
    if !order.bytes.is_empty() {
        let written = timeout(WRITE, stream.write_all(&order.bytes)).await;
        if !matches!(written, Ok(Ok(()))) {
            return;
        }
        if order.end == End::Reset {
            tokio::time::sleep(DRAIN).await;
        }
    }
    if !order.hold.is_zero() {
        read_until_gone(&mut stream, order.hold).await;
    }
    match order.end {
        End::Fin => {
            if stream.shutdown().await.is_ok() {
                read_until_gone(&mut stream, LINGER).await;
            }
        }
        // With zero linger the drop that follows sends RST instead of FIN.
        End::Reset => drop(stream.set_zero_linger()),
    }
}

/// Reads and forgets until the client closes its side, at most for so long.
async fn read_until_gone(stream: &mut TcpStream, at_most: Duration) {
    let mut scratch = vec![0; 4096];
    let gone = async {
        while let Ok(read) = stream.read(&mut scratch).await {
            if read == 0 {
                break;
            }
        }
    };
    // Either way the connection ends now.
    drop(timeout(at_most, gone).await);
}
