//! P1, P2, P3 and P5 on thousands of random schedules: what the portal does and when, what its lists show, who goes away, and how the
//! clocks are turned. Each is judged by the truth in the portal.
//!
//! A failure names its seed; `SCHEDULE=seed cargo test --test promises schedules` runs that one alone.

mod judge;
mod luck;
mod world;

use tokio::runtime::Builder;

const SCHEDULES: u64 = 3_000;

fn run(seed: u64) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let story = runtime.block_on(world::play(seed));
    if let Err(why) = judge::judge(&story) {
        panic!("seed {seed}: {why}\n{story}");
    }
}

#[test]
fn p1_p2_p3_p5_hold_on_random_schedules() {
    if let Ok(seed) = std::env::var("SCHEDULE") {
        return run(seed.parse().unwrap());
    }
    (0..SCHEDULES).for_each(run);
}
