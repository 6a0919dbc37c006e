//! `textDocument/codeAction`: the fixes of the audit, and comments that ignore a finding.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Value, json};
use urigrep::audit::{AuditOutcome, AuditedDocument, LocatedFinding, Safety};
use urigrep::change::Edit;
use urigrep::document::{Format, MarkupFamily};
use urigrep::search::Input;

use super::blocks::BlockSyntax;
use super::comment_places::{CommentSyntax, Insertions, TagLanguage, places};
use super::dispatch::View;
use super::folder::Folder;
use super::links::resolve;
use super::rewrite::apply;
use super::statement::Statement;
use super::types::{CodeActionParams, TextEdit, WorkspaceEdit};

/// A document with findings, and the context for changing it.
struct EditableDocument<'v> {
    view: View<'v>,
    folder: &'v Folder,
    input: Input,
    document: &'v AuditedDocument,
    /// The statement of the document, which comments must not change; `None` if unknown.
    statement: OnceCell<Option<Statement>>,
    /// Findings of the documents that were audited to prove comments.
    tried: Cell<usize>,
}

/// Most findings of a selection with a fix each, and most of one for which comments are offered. A
/// fix is proven by reading the document again, and a comment by auditing it again, so a selection
/// of hundreds would take minutes; `source.fixAll` has all fixes at once.
const MAX_TOUCHED: usize = 16;

/// Most findings of all documents that are audited to prove comments. One trial takes seconds in a
/// document with 20,000 of them, and a comment has several places.
const MAX_TRIED: usize = 20_000;

pub fn actions(view: View<'_>, params: &CodeActionParams) -> Vec<Value> {
    let outcome = view.place().and_then(|(folder, path)| folder.audit(path));
    let audited = outcome.as_deref().and_then(|outcome| EditableDocument::new(view, outcome));
    let Some(audited) = audited else { return Vec::new() };
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
        // A cursor is an empty range, and it touches a span that starts or ends there.
        let touches = |at: Range<usize>| at.start <= span.end && span.start <= at.end;
        let findings = audited.document.findings().iter();
        let touched: Vec<_> =
            findings.filter(|located| touches(located.finding.span.range())).collect();
        for located in touched.iter().take(MAX_TOUCHED) {
            actions.extend(audited.fix(located));
            if touched.len() <= MAX_TOUCHED {
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
    fn new(view: View<'v>, outcome: &'v AuditOutcome) -> Option<Self> {
        let (folder, path) = view.place()?;
        let AuditOutcome::Audited(document) = outcome else { return None };
        let (input, statement) = (folder.input(path), OnceCell::new());
        Some(Self { view, folder, input, document, statement, tried: Cell::new(0) })
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

    /// Returns the action that adds comments which disable the check at this place.
    fn ignore(&self, located: &LocatedFinding) -> Option<Value> {
        let id = located.finding.check.id;
        let text = self.view.document.text.as_str();
        let read = || Some(Statement::new(&*resolve(self.view)?, self.extension()));
        let old = self.statement.get_or_init(read).as_ref()?;
        let span = located.finding.span.range();
        let syntax = self.comment_syntax(old.format?)?;
        // A place is safe only if the changed document says the same, and everything else is still
        // reported.
        let (reach, insertions) =
            places(text, span, syntax, id).into_iter().find_map(|insertions| {
                let reach = self.reach(located, old, &insertions)?;
                Some((reach, insertions))
            })?;
        let edit = |(at, new_text): (usize, String)| {
            let range = self.view.document.lines.range(text.as_bytes(), at..at);
            TextEdit { range, new_text }
        };
        let place = match reach {
            CommentReach::Finding => "here",
            CommentReach::Line => "in this line",
            CommentReach::Block => "in this block",
        };
        let edits = insertions.into_iter().map(edit).collect();
        let mut action = self.action(format!("Ignore `{id}` {place}"), "quickfix", edits);
        action["diagnostics"] = json!([self.diagnostic(located)]);
        Some(action)
    }

    fn extension(&self) -> &str {
        let path = self.view.document.path.as_deref();
        path.and_then(|path| path.extension()?.to_str()).unwrap_or_default()
    }

    fn comment_syntax(&self, format: Format) -> Option<CommentSyntax> {
        Some(match format.family() {
            MarkupFamily::Markdown if self.extension().eq_ignore_ascii_case("mdx") => {
                CommentSyntax::Blocks(BlockSyntax::Mdx)
            }
            MarkupFamily::Markdown => CommentSyntax::Blocks(BlockSyntax::Markdown),
            MarkupFamily::Rst => CommentSyntax::Blocks(BlockSyntax::Rst),
            MarkupFamily::AsciiDoc => CommentSyntax::Blocks(BlockSyntax::AsciiDoc),
            MarkupFamily::Org => CommentSyntax::Blocks(BlockSyntax::Org),
            MarkupFamily::Html => CommentSyntax::Tags(TagLanguage::Html),
            MarkupFamily::Xml => CommentSyntax::Tags(TagLanguage::Xml),
            MarkupFamily::Other => CommentSyntax::Lines(format),
        })
    }

    /// Returns the findings that vanish with these insertions; `None` if something other than
    /// findings of this check changes.
    fn reach(
        &self,
        located: &LocatedFinding,
        old: &Statement,
        insertions: &Insertions,
    ) -> Option<CommentReach> {
        if self.tried.get() >= MAX_TRIED {
            return None;
        }
        let mut text = self.view.document.text.clone();
        for (at, inserted) in insertions.iter().rev() {
            text.insert_str(*at, inserted);
        }
        let auditor = &self.folder.auditor;
        let forget = || {
            if let Some(name) = self.input.path() {
                // The trial must leave no trace.
                auditor.forget(name);
            }
        };
        let resolved = auditor.resolve_text(&self.input, text.clone().into_bytes());
        forget();
        let new = Statement::new(&resolved.ok()??, self.extension());
        // An audit takes much longer.
        if *old != new {
            return None;
        }
        self.tried.set(self.tried.get() + self.document.findings().len());
        let changed = auditor.audit_text(&self.input, text.into_bytes());
        forget();
        let AuditOutcome::Audited(changed) = changed else { return None };
        // Where a finding was before the insertions.
        let moved = |offset: usize| {
            let inserted = |at: usize| {
                let before = insertions.iter().take_while(|(place, _)| *place <= at);
                before.map(|(_, inserted)| inserted.len()).sum::<usize>()
            };
            offset + inserted(offset)
        };
        let key = |id: &'static str, at: usize, located: &LocatedFinding| {
            (id, at, located.finding.message.clone())
        };
        let found = |document: &AuditedDocument, place: &dyn Fn(usize) -> usize| {
            let findings = document.findings().iter();
            let key =
                |it: &LocatedFinding| key(it.finding.check.id, place(it.finding.span.start()), it);
            findings.map(key).collect::<BTreeSet<_>>()
        };
        let (before, after) = (found(self.document, &moved), found(&changed, &|at| at));
        let id = located.finding.check.id;
        let own = key(id, moved(located.finding.span.start()), located);
        let gone: Vec<_> = before.difference(&after).collect();
        let is_sound =
            after.is_subset(&before) && gone.contains(&&own) && gone.iter().all(|it| it.0 == id);
        match (gone.len(), insertions.len()) {
            _ if !is_sound => None,
            (1, _) => Some(CommentReach::Finding),
            (_, 1) => Some(CommentReach::Line),
            _ => Some(CommentReach::Block),
        }
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

/// The findings that comments turn off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommentReach {
    Finding,
    /// Others of the same check are in the line.
    Line,
    /// Others are in the block, which no comment can be in.
    Block,
}
