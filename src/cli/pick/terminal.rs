//! The terminal, which may be neither standard input nor standard output.

use std::fs::{File, OpenOptions};
use std::io::{Result, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use crossterm::{execute, queue};

use super::list::PickList;
use super::screen::{list_rows, screen};

#[cfg(unix)]
const TERMINAL: &str = "/dev/tty";
#[cfg(not(unix))]
const TERMINAL: &str = "CONOUT$";

/// The terminal while the picker uses it; dropping this restores it.
pub struct Terminal {
    out: File,
    height: usize,
}

impl Terminal {
    pub fn open() -> Result<Self> {
        let mut out = OpenOptions::new().read(true).write(true).open(TERMINAL)?;
        enable_raw_mode()?;
        let entered = execute!(out, EnterAlternateScreen, Hide, EnableBracketedPaste);
        // Created before the result is checked, so that the terminal is restored after a failure.
        let terminal = Self { out, height: 24 };
        entered.map(|()| terminal)
    }

    /// The number of lines of the list.
    pub fn rows(&self) -> usize {
        list_rows(self.height)
    }

    pub fn draw(&mut self, list: &mut PickList) -> Result<()> {
        let (width, height) = size().unwrap_or((80, 24));
        self.height = usize::from(height);
        // A screen that is written in pieces flickers.
        let mut frame = Vec::new();
        for (row, line) in (0..height).zip(screen(list, usize::from(width), self.height)) {
            queue!(frame, MoveTo(0, row))?;
            frame.extend_from_slice(line.as_bytes());
            queue!(frame, Clear(ClearType::UntilNewLine))?;
        }
        queue!(frame, Clear(ClearType::FromCursorDown))?;
        self.write(&frame)
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // There is no other terminal on which to report an error.
        drop(execute!(self.out, DisableBracketedPaste, Show, LeaveAlternateScreen));
        drop(disable_raw_mode());
    }
}
