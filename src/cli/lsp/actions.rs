//! `textDocument/codeAction`: the fixes of the audit, and comments that ignore a finding.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Value, json};
use urigrep::audit::{AuditOutcome, AuditedDocument, LocatedFinding, Safety};
use urigrep::change::Edit;
use urigrep::search::Input;

use super::dispatch::View;
use super::folder::Folder;
use super::links::resolve;
use super::rewrite::apply;
use super::types::{CodeActionParams, TextEdit, WorkspaceEdit};

/// A document with findings, and what is needed to change it.
struct EditableDocument<'v> {
    view: View<'v>,
    folder: &'v Folder,
    input: Input,
    document: Box<AuditedDocument>,
}

pub fn actions(view: View<'_>, params: &CodeActionParams) -> Vec<Value> {
    let Some(audited) = EditableDocument::new(view) else { return Vec::new() };
    let wants = |kind: &str| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| {
            // A client that asks for `source` wants `source.fixAll`, too (LSP 3.17,
            // `CodeActionKind`).
            only.iter().any(|it| kind == it || kind.starts_with(&format!("{it}.")))
        })
    };
    let mut actions = Vec::new();
    if wants("quickfix") {
        let document = view.document;
        let span = document.lines.span(&document.text, params.range);
        // A cursor is an empty range, and it touches what it stands right before or behind.
        let touches = |at: Range<usize>| at.start <= span.end && span.start <= at.end;
        for located in audited.document.findings() {
            if touches(located.finding.span.range()) {
                actions.extend(audited.fix(located));
                actions.extend(audited.ignore(located));
            }
        }
    }
    if wants("source.fixAll.urigrep") {
        actions.extend(audited.fix_all());
    }
    actions
}

impl<'v> EditableDocument<'v> {
    fn new(view: View<'v>) -> Option<Self> {
        let (folder, path) = view.place()?;
        match folder.audit(path)? {
            AuditOutcome::Audited(document) => {
                Some(Self { view, folder, input: folder.input(path), document })
            }
            _ => None,
        }
    }

    fn fix(&self, located: &LocatedFinding) -> Option<Value> {
        let fix = located.finding.fix.as_ref()?;
        let edits = self.edits(&located.edits)?;
        let new = fix.edits.first().map(|edit| edit.to.text()).unwrap_or_default();
        let is_safe = fix.safety == Safety::Safe;
        let doubt = if is_safe { "" } else { " (unsafe: look at it)" };
        let mut action = self.action(format!("Change to `{new}`{doubt}"), "quickfix", edits);
        // The command "auto fix" of editors applies preferred actions without a question (LSP 3.17,
        // `CodeAction`).
        action["isPreferred"] = Value::Bool(is_safe);
        action["diagnostics"] = json!([self.diagnostic(located)]);
        Some(action)
    }

    /// Returns the action that applies all safe fixes, as `urigrep audit --fix` does in one round.
    fn fix_all(&self) -> Option<Value> {
        let is_safe = |located: &&LocatedFinding| {
            located.finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe)
        };
        let safe = self.document.findings().iter().filter(is_safe);
        let edits: Vec<Edit> = safe.flat_map(|located| located.edits.iter().cloned()).collect();
        let edits = self.edits(&edits)?;
        Some(self.action("Apply all safe fixes".to_owned(), "source.fixAll.urigrep", edits))
    }

    /// Returns the action that adds a comment which disables the check at this place.
    fn ignore(&self, located: &LocatedFinding) -> Option<Value> {
        let id = located.finding.check.id;
        // The reader knows the format, even of a file whose name does not say it.
        let comments = resolve(self.view)?.facts().format()?.comments();
        let text = self.view.document.text.as_str();
        let lines = &self.view.document.lines;
        let [first, last] = [located.finding.span.start(), located.finding.span.end()]
            .map(|offset| lines.line(text, lines.line_of(offset)));
        let indent: String =
            text.get(first.clone())?.chars().take_while(|c| c.is_whitespace()).collect();
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let comment = |word: &str| comments.comment(&format!("urigrep-disable{word} {id}"));
        let before = |comment: String| (first.start, format!("{indent}{comment}{end}"));
        let paragraph = paragraph_start(text, first.start);
        let places = [
            // Behind the line, the text around stays one paragraph.
            (first.start == last.start)
                .then(|| comment("-line"))
                .flatten()
                .map(|it| (first.end, format!(" {it}"))),
            comment("-next-line").map(before),
            comment("").map(|it| (paragraph, format!("{it}{end}{end}"))),
        ];
        // Which of them is a comment depends on the format and on what is around. So the first one
        // is taken with which the audit reports everything else, and this finding no longer.
        let (at, inserted) = places
            .into_iter()
            .flatten()
            .find(|(at, inserted)| self.ignores(located, *at, inserted))?;
        let range = lines.range(text.as_bytes(), at..at);
        let mut action = self.action(
            format!("Ignore `{id}` here"),
            "quickfix",
            vec![TextEdit { range, new_text: inserted }],
        );
        action["diagnostics"] = json!([self.diagnostic(located)]);
        Some(action)
    }

    /// True if the finding vanishes with this insertion, and no other one appears.
    fn ignores(&self, located: &LocatedFinding, at: usize, inserted: &str) -> bool {
        let mut text = self.view.document.text.clone();
        text.insert_str(at, inserted);
        let AuditOutcome::Audited(changed) =
            self.folder.auditor.audit_text(&self.input, text.into_bytes())
        else {
            return false;
        };
        if let Some(name) = self.input.path() {
            // The trial must leave no trace.
            self.folder.auditor.forget(name);
        }
        let counts = |document: &AuditedDocument| {
            let mut counts: BTreeMap<(&str, Option<String>), usize> = BTreeMap::new();
            for located in document.findings() {
                *counts
                    .entry((located.finding.check.id, located.finding.uri.clone()))
                    .or_default() += 1;
            }
            counts
        };
        let (old, new) = (counts(&self.document), counts(&changed));
        let key = (located.finding.check.id, located.finding.uri.clone());
        new.get(&key).copied().unwrap_or_default() < old.get(&key).copied().unwrap_or_default()
            && new.iter().all(|(key, count)| old.get(key).is_some_and(|old| count <= old))
    }

    /// Returns the edits of the text that make these changes; `None` if there are none.
    fn edits(&self, edits: &[Edit]) -> Option<Vec<TextEdit>> {
        let text = &self.view.document.text;
        let edits = apply(&self.folder.auditor, &self.input, text.as_bytes(), edits);
        let range = |(old, new_text)| TextEdit {
            range: self.view.document.lines.range(text.as_bytes(), old),
            new_text,
        };
        Some(edits.into_iter().map(range).collect()).filter(|edits: &Vec<_>| !edits.is_empty())
    }

    fn action(&self, title: String, kind: &str, edits: Vec<TextEdit>) -> Value {
        let changes = [(self.view.document.uri.clone(), edits)].into();
        json!({"title": title, "kind": kind, "edit": WorkspaceEdit { changes }})
    }

    fn diagnostic(&self, located: &LocatedFinding) -> Value {
        let text = self.view.document.text.as_bytes();
        json!(super::report::diagnostic(located, text, &self.view.document.lines))
    }
}

/// Returns the start of the first line of a paragraph.
fn paragraph_start(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    let mut start = offset;
    for line in before.split_inclusive('\n').rev() {
        if line.trim().is_empty() {
            break;
        }
        start -= line.len();
    }
    start
}
