//! `--defang`: the stage before a printer that makes unclickable what is printed.
//!
//! The printers behind it know nothing of it. Positions, kinds and flags are those of the source; a relative
//! reference names no host and stays as it is.

use urigrep::reference::Normalizer;
use urigrep::search::{DefangedHit, Flow, Hit};

use super::Printer;
use super::stage::Stage;

/// It makes the normal forms by its normalizer.
pub struct Defanging(pub Normalizer);

impl Stage for Defanging {
    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow {
        let defanged = DefangedHit::new(hit, &self.0);
        inner.hit(&hit.with_defanged(&defanged), out)
    }
}
