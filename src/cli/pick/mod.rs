//! `--pick`: a list of matches on the terminal, to filter, open, copy, and print.

mod actions;
mod collect;
mod list;
mod screen;
mod terminal;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use urigrep::search::describe;

use super::config;
use super::diagnostics::{Diagnostics, complain};
use super::error::CliError;
use super::flags::SearchFlags;
use super::git::MovedFiles;
use super::roots::{existing, refuse_unknown_verb};
use super::status::Status;
use super::stdout::print;
use collect::CollectedEntries;
use list::PickList;
use terminal::Terminal;

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyAction {
    Stay,
    /// Print the chosen URIs.
    Print,
    Leave,
}

pub fn run(flags: &SearchFlags) -> Result<Status, CliError> {
    let roots = flags.scope.roots(&flags.paths)?;
    let lines = flags.scope.lines(&roots, MovedFiles::AreTheSame)?;
    let search = config::search_with(flags, |builder| match lines {
        Some(lines) => lines.limit(builder),
        None => builder,
    })?;
    refuse_unknown_verb(&roots)?;
    let (roots, problems) = existing(&roots, super::no_pattern);
    let mut collected = CollectedEntries::for_flags(flags);
    let searched = search.run(roots, &mut collected);
    searched.map_err(|error| config::walk_error(&error))?;
    let diagnostics = Diagnostics::default();
    for problem in problems.iter().chain(&collected.problems) {
        diagnostics.report(problem);
    }
    if collected.entries.is_empty() {
        return Ok(if diagnostics.errors() > 0 { Status::Error } else { Status::NoMatch });
    }
    let count = collected.entries.len();
    let mut list = PickList::new(collected.entries);
    if collected.is_cut {
        list.message = format!("the first {count} URIs; select some, as with --host");
        // It stays in the shell when the list is gone.
        complain(&format!("--pick: {}", list.message));
    }
    let failed = |error: std::io::Error| CliError::invalid("--pick", describe(&error));
    // The message of the system, "no such device or address", does not say which device.
    let terminal = Terminal::open().map_err(|_| CliError::needs("--pick", "a terminal"))?;
    let answer = pick(&mut list, terminal).map_err(failed)?;
    // The screen is the shell's again before anything is printed.
    if answer != KeyAction::Print {
        return Ok(Status::NoMatch);
    }
    let chosen: String = list.chosen().iter().map(|entry| format!("{}\n", entry.uri)).collect();
    Ok(match print(chosen.as_bytes()) {
        Status::Match if chosen.is_empty() => Status::NoMatch,
        status => status,
    })
}

/// Shows the list until the user has chosen or leaves.
fn pick(list: &mut PickList, mut terminal: Terminal) -> std::io::Result<KeyAction> {
    loop {
        terminal.draw(list)?;
        let answer = match crossterm::event::read()? {
            // Windows reports the release of each key, too, and each would act twice.
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                press(key, list, &mut terminal)?
            }
            Event::Paste(text) => {
                // The line end of a pasted line must not act as the Enter key.
                text.chars().filter(|c| !c.is_control()).for_each(|c| list.type_char(c));
                KeyAction::Stay
            }
            _ => KeyAction::Stay,
        };
        if answer != KeyAction::Stay {
            return Ok(answer);
        }
    }
}

/// Handles a key.
fn press(
    key: KeyEvent,
    list: &mut PickList,
    terminal: &mut Terminal,
) -> std::io::Result<KeyAction> {
    let page = terminal.rows() as isize;
    list.message.clear();
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match (key.code, is_control) {
        (KeyCode::Enter, _) => return Ok(KeyAction::Print),
        // A terminal in raw mode sends Ctrl-C as a key, and no signal.
        (KeyCode::Esc, _) | (KeyCode::Char('c' | 'd' | 'g'), true) => return Ok(KeyAction::Leave),
        (KeyCode::Up, _) | (KeyCode::Char('p' | 'k'), true) => list.go(-1),
        (KeyCode::Down, _) | (KeyCode::Char('n' | 'j'), true) => list.go(1),
        (KeyCode::PageUp, _) | (KeyCode::Char('b'), true) => list.go(-page),
        (KeyCode::PageDown, _) | (KeyCode::Char('f'), true) => list.go(page),
        (KeyCode::Home, _) => list.go(isize::MIN),
        (KeyCode::End, _) => list.go(isize::MAX),
        (KeyCode::Tab, _) => {
            list.mark();
            list.go(1);
        }
        (KeyCode::BackTab, _) => {
            list.mark();
            list.go(-1);
        }
        (KeyCode::Char('a'), true) => list.mark_all(),
        (KeyCode::Char('u'), true) => list.clear_filter(),
        (KeyCode::Char('o'), true) => {
            if let Some(entry) = list.current() {
                list.message = actions::open(&entry.uri);
            }
        }
        (KeyCode::Char('y'), true) => {
            let text = list.chosen().iter().map(|entry| &*entry.uri).collect::<Vec<_>>().join("\n");
            terminal.write(&actions::copy_sequence(&text))?;
            list.message = "copied, if the terminal allows it (OSC 52)".to_owned();
        }
        (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => list.erase_char(),
        (KeyCode::Char(c), false) => list.type_char(c),
        _ => {}
    }
    Ok(KeyAction::Stay)
}
