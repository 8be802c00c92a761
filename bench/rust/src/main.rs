//! The Server of the official crate on one thread, for everybody who comes. Prints its address when it listens.

use a2c_smcp::smcp_server_core::SmcpServerBuilder;
use a2c_smcp::smcp_server_hyper::HyperServerBuilder;
use a2c_smcp::tokio::{net::TcpStream, runtime::Builder, spawn, time::sleep};
use std::{error::Error, io::Read, net::TcpListener, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // It ends with the benchmark, which holds the other end of its standard input.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    Builder::new_current_thread().enable_all().build()?.block_on(serve())
}

async fn serve() -> Result<(), Box<dyn Error>> {
    // The crate does not tell which port it was given, so that it must be told one that is free.
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let layer = SmcpServerBuilder::new().with_default_auth(Some("bench".into()), None).build_layer()?;
    let server = HyperServerBuilder::new().with_layer(layer).build();
    let running = spawn(async move { server.run(address).await.map_err(|error| error.to_string()) });
    while TcpStream::connect(address).await.is_err() {
        sleep(Duration::from_millis(10)).await;
    }
    println!("http://{address}");
    running.await??;
    Ok(())
}
