//! Lists that are read to their end: on paused time against a list that is a script, and against the local portal over
//! real sockets.

#[cfg(test)]
mod cases;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod list;
#[cfg(test)]
mod offsets;
#[cfg(test)]
mod refused;
#[cfg(test)]
mod served;
#[cfg(test)]
mod walked;
