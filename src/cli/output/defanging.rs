//! `--defang`: the stage before a printer that makes the printed texts unclickable.
//!
//! The printers after it need no support for it. Positions, kinds and flags are those of the
//! source. A relative reference names no host and stays the same.

use urigrep::reference::Normalizer;
use urigrep::search::{DefangedHit, Flow, Hit};

use super::Printer;
use super::stage::OutputStage;

/// Its normalizer makes the normal forms.
pub struct Defanging(pub Normalizer);

impl OutputStage for Defanging {
    fn hit(&mut self, hit: &Hit<'_>, inner: &mut dyn Printer, out: &mut Vec<u8>) -> Flow {
        let defanged = DefangedHit::new(hit, &self.0);
        inner.hit(&hit.with_defanged(&defanged), out)
    }
}
