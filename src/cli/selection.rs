//! Builds the selection from the flags, and detects one that can't match.

use urigrep::document::Role;
use urigrep::registry::schemes;
use urigrep::search::{HitField, HitKind, Limits, Regexps, Resolvers, Selection, SelectionError};
use urigrep::{Grammar, Kind};

use super::error::CliError;
use super::flags::SearchFlags;
use super::flags::lists::lines;
use super::flags::select::{RecognizeFlags, SelectFlags};
use super::flags::values::{self, CountKey, ListEntry, MailMode, MarkupMode, divided};

/// Builds the selection.
///
/// # Errors
/// If an expression is too large, or no match can be selected; the message says why.
pub fn selection(flags: &SearchFlags, limits: &Limits) -> Result<Selection, CliError> {
    // A search that can find nothing would end with status 1 as if the text had no URIs. A script
    // would not notice.
    if let Some(reason) = contradiction(flags) {
        return Err(CliError::nothing_selected(reason));
    }
    let select = &flags.select;
    without_expression(select)?;
    let [schemes, schemes_not] = divided(&select.scheme);
    let [nids, nids_not] = divided(&select.nid);
    let [hosts, hosts_not] = divided(&select.host);
    let [domains, domains_not] = divided(&select.domain);
    let [kinds, kinds_not] = divided(&select.kind);
    let [flags_with, flags_without] = divided(&select.flag);
    let [ports, ports_not] = divided(&select.port);
    let [host_types, host_types_not] = divided(&select.host_type);
    let [elements, elements_not] = divided(&select.element);
    let [places, places_not] = divided(&select.at);
    let [senders, senders_not] = divided(&select.from);
    let builder = Selection::builder()
        .schemes(schemes)
        .schemes_not(schemes_not)
        .nids(nids)
        .nids_not(nids_not)
        .hosts(hosts)
        .hosts_not(hosts_not)
        .domains(domains)
        .domains_not(domains_not)
        .kinds(kinds)
        .kinds_not(kinds_not)
        .flags(flags_with)
        .flags_not(flags_without)
        .ports(ports)
        .ports_not(ports_not)
        .host_types(host_types)
        .host_types_not(host_types_not)
        .elements(elements)
        .elements_not(elements_not)
        .places(places)
        .places_not(places_not)
        .senders(senders)
        .senders_not(senders_not)
        .roles(roles(flags))
        .resolvers(if flags.recognize.identifiers || flags.recognize.doi {
            Resolvers::AsIdentifiers
        } else {
            Resolvers::AsUrls
        })
        .regexps(expressions(select)?)
        .regexps_select(if select.invert_match { Regexps::DoNotMatch } else { Regexps::Match })
        .ignore_case(select.ignore_case)
        .size_limit(limits.regexp);
    let builder = if select.secrets { builder.only_secrets() } else { builder };
    let builder = match &select.date {
        Some(dates) => builder.dates(dates.clone()),
        None => builder,
    };
    builder.build().map_err(|error| match error {
        SelectionError::Host(message) => CliError::invalid("--host", message),
        SelectionError::Place(message) => CliError::invalid("--at", message),
        SelectionError::RegexpTooLarge(_) => {
            CliError::invalid("--regexp", format!("{error}; --limit regexp=SIZE allows more"))
        }
        other => CliError::invalid("--regexp", other.to_string()),
    })
}

/// Returns the wanted roles.
///
/// Programs and data are read as documents only if a selection asks for it (decision 0019). The
/// output would otherwise have empty places, and give comments of programs the role `text`. So a
/// flag that names a field of documents selects all roles.
fn roles(flags: &SearchFlags) -> Vec<Role> {
    let (select, modes) = (&flags.select, &flags.modes);
    let is_counted = matches!(modes.count_by, Some(CountKey::Role | CountKey::Format));
    let templates = [&modes.template, &modes.replace].into_iter().flatten();
    let is_named = |field: &HitField| {
        modes.columns.contains(field) || templates.clone().any(|it| it.has(*field))
    };
    if select.role.is_empty() && (is_counted || DOCUMENT_FIELDS.iter().any(is_named)) {
        Role::ALL.to_vec()
    } else {
        select.role.clone()
    }
}

/// The fields that only documents have.
const DOCUMENT_FIELDS: [HitField; 5] =
    [HitField::Format, HitField::Place, HitField::Role, HitField::Element, HitField::Attribute];

/// Reports a flag that modifies `--regexp`, if there is no expression.
fn without_expression(select: &SelectFlags) -> Result<(), CliError> {
    if !select.regexp.is_empty() || !select.regexp_files.is_empty() {
        return Ok(());
    }
    match (select.invert_match, select.ignore_case) {
        (true, _) => Err(CliError::needs("-v", "-e RE (--regexp), which it inverts")),
        (_, true) => Err(CliError::needs("-i", "-e RE (--regexp), in which it ignores case")),
        (false, false) => Ok(()),
    }
}

/// Returns the expressions of `--regexp`, followed by those of its files.
fn expressions(select: &SelectFlags) -> Result<Vec<String>, CliError> {
    let mut expressions = select.regexp.clone();
    for file in &select.regexp_files {
        expressions.extend(lines(
            file,
            |line| Some(line).filter(|line| !line.is_empty()),
            values::regexp,
        )?);
    }
    Ok(expressions)
}

/// Returns the included entries of a list, without the excluded ones.
pub fn wanted<T: Clone + PartialEq>(entries: &[ListEntry<T>]) -> Option<Vec<T>> {
    let [mut only, not] = divided(entries);
    (!only.is_empty()).then(|| {
        // As in the list of a search: what is excluded wins, whatever the order.
        only.retain(|value| !not.contains(value));
        only
    })
}

/// Returns the reason why the selection can't match anything, if there is one.
fn contradiction(flags: &SearchFlags) -> Option<String> {
    let SearchFlags { select, recognize, .. } = flags;
    emptied(select)
        .or_else(|| not_looked_for(flags))
        .or_else(|| without_part(select, recognize))
        .or_else(|| unknown_scheme(select, recognize))
}

/// Reports a list that excludes all entries that it includes.
fn emptied(select: &SelectFlags) -> Option<String> {
    fn is_empty<T: Clone + PartialEq>(list: &[ListEntry<T>]) -> bool {
        wanted(list).is_some_and(|list| list.is_empty())
    }
    let lists = [
        ("--scheme", is_empty(&select.scheme)),
        ("--nid", is_empty(&select.nid)),
        ("--host", is_empty(&select.host)),
        ("--domain", is_empty(&select.domain)),
        ("--kind", is_empty(&select.kind)),
        ("--flag", is_empty(&select.flag)),
        ("--port", is_empty(&select.port)),
        ("--host-type", is_empty(&select.host_type)),
        ("--element", is_empty(&select.element)),
        ("--at", is_empty(&select.at)),
        ("--from", is_empty(&select.from)),
    ];
    let (flag, _) = lists.into_iter().find(|(_, is_empty)| *is_empty)?;
    Some(format!("{flag} excludes everything that it includes"))
}

/// Returns a note for each list in which `!` excludes something that the other entries leave out
/// anyway. In `!80,443`, the sign is probably meant for both.
///
/// Only lists in which a URI has one value: it may have several flags, and be below several
/// domains.
pub fn exclusions_without_effect(select: &SelectFlags) -> Vec<String> {
    fn is_idle<T: Clone + PartialEq>(list: &[ListEntry<T>]) -> bool {
        let [only, not] = divided(list);
        !only.is_empty() && not.iter().any(|value| !only.contains(value))
    }
    let lists = [
        ("--scheme", is_idle(&select.scheme)),
        ("--nid", is_idle(&select.nid)),
        ("--kind", is_idle(&select.kind)),
        ("--port", is_idle(&select.port)),
        ("--host-type", is_idle(&select.host_type)),
    ];
    let idle = lists.into_iter().filter(|(_, is_idle)| *is_idle);
    idle.map(|(flag, _)| {
        format!("in {flag}, `!` is for one entry; an entry without it selects only itself: `!a,!b` excludes both")
    })
    .collect()
}

/// Reports that other flags disable every wanted kind.
fn not_looked_for(flags: &SearchFlags) -> Option<String> {
    let SearchFlags { select, recognize, walk, .. } = flags;
    let never_document = walk.markup == MarkupMode::Never;
    let reason = |kind: &HitKind| match kind {
        HitKind::Uri(Kind::Email) if !(recognize.email || recognize.uts58 || recognize.refang) => {
            Some("--kind email needs --email")
        }
        HitKind::Uri(Kind::Abbreviated)
            if !(recognize.abbreviated
                || recognize.identifiers
                || recognize.doi
                || recognize.uts58
                || recognize.refang) =>
        {
            Some("--kind abbreviated needs --abbreviated")
        }
        HitKind::Uri(Kind::Iri) if recognize.ascii => Some("--kind iri conflicts with --ascii"),
        HitKind::Uri(Kind::Lax) if recognize.strict => Some("--kind lax conflicts with --strict"),
        HitKind::Reference if never_document && walk.mail == MailMode::Never => {
            Some("--kind reference conflicts with --markup never")
        }
        _ => None,
    };
    // `collect` gives `None` as soon as one of the kinds can be found: then the selection is not
    // empty.
    let wanted_kinds = wanted(&select.kind).unwrap_or_default();
    let reasons: Option<Vec<_>> = wanted_kinds.iter().map(reason).collect();
    let kinds = reasons.and_then(|reasons| reasons.first().map(ToString::to_string));
    let roles_of_text = |role: &Role| *role == Role::Text;
    let is_role = !select.role.is_empty() && !select.role.iter().any(roles_of_text);
    let needs_mail = match (&select.date, wanted(&select.from)) {
        (Some(_), _) => Some("--date"),
        (None, Some(_)) => Some("--from"),
        (None, None) => None,
    };
    let mail = needs_mail.filter(|_| walk.mail == MailMode::Never);
    let mail = mail.map(|flag| format!("{flag} needs mail, which --mail never excludes"));
    kinds.or(mail).or_else(|| {
        let is_text = is_role && never_document && walk.mail == MailMode::Never;
        is_text.then(|| "with --markup never everything is text, which --role excludes".to_owned())
    })
}

/// Reports flags that exclude each other: one requires a component that the URIs of the other lack.
fn without_part(select: &SelectFlags, recognize: &RecognizeFlags) -> Option<String> {
    let schemes = wanted(&select.scheme);
    let kinds = wanted(&select.kind);
    let is_urn = |scheme: &String| scheme == "urn";
    let has_urn_scheme = schemes.as_ref().is_none_or(|list| list.iter().any(is_urn));
    let names_host = wanted(&select.host).is_some()
        || wanted(&select.domain).is_some()
        || wanted(&select.port).is_some()
        || wanted(&select.host_type).is_some();
    let nids = wanted(&select.nid).is_some();
    let only_kinds = |of: &[Kind]| {
        let is_of = |kind: &HitKind| matches!(kind, HitKind::Uri(kind) if of.contains(kind));
        kinds.as_ref().is_some_and(|list| list.iter().all(is_of))
    };
    let has_urn_kind = kinds.as_ref().is_none_or(|list| list.contains(&HitKind::Uri(Kind::Urn)));
    // Under an older grammar, a URN need not have the kind `urn`, so the kinds prove nothing.
    let is_newest = recognize.grammar == Grammar::default();
    let reason = if names_host && nids {
        "--nid selects URNs, which have no host"
    } else if names_host && only_kinds(&[Kind::Urn, Kind::Email]) {
        "URNs and mail addresses have no host"
    } else if names_host && schemes.as_ref().is_some_and(|list| list.iter().all(is_urn)) {
        "URNs have no host"
    } else if nids && !has_urn_scheme {
        "--nid selects URNs, which --scheme excludes"
    } else if is_newest && nids && !has_urn_kind {
        "--nid selects URNs, which --kind excludes"
    } else if is_newest && only_kinds(&[Kind::Urn]) && !has_urn_scheme {
        "--kind urn needs the scheme `urn`, which --scheme excludes"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// Reports that none of the wanted schemes is recognized.
fn unknown_scheme(select: &SelectFlags, recognize: &RecognizeFlags) -> Option<String> {
    let schemes_wanted = wanted(&select.scheme).filter(|_| recognize.known_schemes)?;
    let is_known = |name: &String| schemes().iter().any(|known| known.name == name);
    if schemes_wanted.iter().any(is_known) {
        None
    } else {
        Some(format!("`{}` is not one of --known-schemes", schemes_wanted.first()?))
    }
}
