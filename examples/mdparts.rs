use std::ops::ControlFlow;
use urigrep::Span;
use urigrep::container::document::*;
struct P;
impl Sink for P {
    fn part(&mut self, p: &Part<'_>) -> ControlFlow<()> {
        let s = p.source.source(Span::new(0, p.text.len()));
        println!(
            "{:?} {:?} {:?} {}..{} {:?} {:?}",
            p.role,
            p.element,
            p.attribute,
            s.start(),
            s.end(),
            String::from_utf8_lossy(p.text),
            p.source
                .ranges(Span::new(0, p.text.len()))
                .iter()
                .map(|r| r.range())
                .collect::<Vec<_>>()
        );
        ControlFlow::Continue(())
    }
    fn mark(&mut self, m: &Mark<'_>) {
        println!("  MARK {m:?}");
    }
    fn marks(&self) -> Marks {
        Marks::All
    }
}
struct N(usize);
impl Sink for N {
    fn part(&mut self, p: &Part<'_>) -> ControlFlow<()> {
        self.0 += 1;
        std::hint::black_box(p);
        ControlFlow::Continue(())
    }
    fn mark(&mut self, _: &Mark<'_>) {}
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "-n" {
        let mut n = N(0);
        let mut bytes = 0;
        for line in std::fs::read_to_string(&args[2]).unwrap().lines() {
            let Ok(b) = std::fs::read(line) else { continue };
            bytes += b.len();
            let _ = Format::Markdown.read(Source::new(&b), &mut n);
        }
        println!("{} parts {} bytes", n.0, bytes);
        return;
    }
    let b = std::fs::read(&args[1]).unwrap();
    let _ = Format::Markdown.read(Source::new(&b), &mut P);
}
