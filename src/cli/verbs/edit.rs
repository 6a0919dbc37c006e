//! The changes that `urigrep parse` makes to a URI, and the parts that it prints. The flags are
//! the flags of `trurl`, for every scheme.

use std::borrow::Cow;

use clap::Args;
use urigrep::edit::{QueryPair, QueryPairs, UriBuilder};
use urigrep::percent::{PercentSet, encode};
use urigrep::reference::Normalizer;
use urigrep::reference::default_port;
use urigrep::{Iri, ParseError, Uri, UriBuf, UriRef, Urn};

use crate::cli::flags::values::hosts;

/// The changes of a URI, and the parts of it to print.
#[derive(Args, Clone, Debug, Default)]
pub struct EditFlags {
    #[arg(
        short = 'g',
        long,
        value_name = "TEMPLATE",
        value_parser = GetTemplate::parse,
        help = "Print TEMPLATE of each URI, such as '{host} {query:q}'.",
        long_help = "Print TEMPLATE of each URI, such as '{scheme} {host} {path}'. Fields are uri, normalized, scheme, \
                     userinfo, user, password, host, port, path, query, fragment, nid and nss, as they are written, and \
                     {query:NAME}, the decoded value of a parameter. What a URI does not have is empty. `{{` and `}}` \
                     are braces; \\n and \\t are read as in C."
    )]
    get: Option<GetTemplate>,

    #[command(flatten)]
    transform: TransformFlags,

    #[arg(
        long,
        value_name = "PART=VALUES",
        value_parser = iterated,
        help = "Print one URI per value; values are separated by spaces: `host=a.example b.example`."
    )]
    iterate: Vec<(EditedPart, Vec<String>)>,
}

/// The changes of a URI.
#[derive(Args, Clone, Debug, Default)]
pub struct TransformFlags {
    #[arg(
        short = 's',
        long,
        value_name = "PART=VALUE",
        value_parser = part_value,
        help = "Set scheme, userinfo, user, password, host, port, path, query or fragment; `port=` removes it."
    )]
    set: Vec<(EditedPart, String)>,

    #[arg(
        short = 'a',
        long,
        value_name = "PART=VALUE",
        value_parser = appended,
        help = "Append a segment to the path (`path=x`), or a parameter to the query (`query=a=b`)."
    )]
    append: Vec<(EditedPart, String)>,

    #[arg(
        long,
        value_name = "PART=GLOB",
        value_parser = trimmed,
        help = "Remove parameters whose name matches GLOB from the query, such as `query=utm_*`."
    )]
    trim: Vec<String>,

    #[arg(long, value_name = "NAME=VALUE", value_parser = pair,
        help = "Change the value of a query parameter, if the URI has it.")]
    replace_query: Vec<(String, String)>,

    #[arg(long, help = "Sort the parameters of the query by name.")]
    sort_query: bool,

    #[arg(long, help = "Add the default port of the scheme to URIs without a port.")]
    default_port: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditedPart {
    Scheme,
    Userinfo,
    User,
    Password,
    Host,
    Port,
    Path,
    Query,
    Fragment,
}

const PARTS: [(&str, EditedPart); 9] = [
    ("scheme", EditedPart::Scheme),
    ("userinfo", EditedPart::Userinfo),
    ("user", EditedPart::User),
    ("password", EditedPart::Password),
    ("host", EditedPart::Host),
    ("port", EditedPart::Port),
    ("path", EditedPart::Path),
    ("query", EditedPart::Query),
    ("fragment", EditedPart::Fragment),
];

fn part_value(text: &str) -> Result<(EditedPart, String), String> {
    part_value_like(text, "host=www.example.com")
}

fn part_value_like(text: &str, example: &str) -> Result<(EditedPart, String), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("must be PART=VALUE, such as {example}"))?;
    match PARTS.iter().find(|(known, _)| *known == name) {
        Some((_, part)) => Ok((*part, value.to_owned())),
        None => {
            let names: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
            Err(format!("unknown part `{name}`; the parts are {}", names.join(", ")))
        }
    }
}

fn appended(text: &str) -> Result<(EditedPart, String), String> {
    match part_value_like(text, "path=x")? {
        found @ (EditedPart::Path | EditedPart::Query, _) => Ok(found),
        _ => Err("only a path or a query can be appended to, as in path=x or query=a=b".to_owned()),
    }
}

fn trimmed(text: &str) -> Result<String, String> {
    match part_value_like(text, "query=utm_*")? {
        (EditedPart::Query, glob) => Ok(glob),
        _ => {
            Err("only a query can be trimmed, as in query=utm_*; to remove another part, use --set PART="
                .to_owned())
        }
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must be NAME=VALUE, such as page=2")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn iterated(text: &str) -> Result<(EditedPart, Vec<String>), String> {
    let (part, values) = part_value(text)?;
    Ok((part, values.split_whitespace().map(str::to_owned).collect()))
}

/// Sets a value as written. If that is not valid, invalid characters are percent-encoded.
fn set_text(
    builder: &mut UriBuilder,
    value: &str,
    encoded: PercentSet,
    put: fn(&mut UriBuilder, &str) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    put(builder, value).or_else(|_| put(builder, &encode(value, encoded)))
}

/// Returns the ASCII form of the host of an IRI.
fn ascii_host(host: &str) -> Cow<'_, str> {
    if host.is_ascii() {
        return Cow::Borrowed(host);
    }
    let iri = format!("http://{host}/");
    let mapped = Iri::parse(&iri).and_then(|iri| Ok(iri.to_uri_with(hosts())?.into_owned()));
    let mapped = mapped.ok().and_then(|uri| uri.split('/').nth(2).map(str::to_owned));
    mapped.map_or(Cow::Borrowed(host), Cow::Owned)
}

impl EditFlags {
    /// True if the flags change the URI, or print something in place of its components.
    pub fn are_given(&self) -> bool {
        self.get.is_some() || self.edits()
    }

    pub fn edits(&self) -> bool {
        self.transform.are_given() || !self.iterate.is_empty()
    }

    /// Returns the changed URIs: one, or with `--iterate` one per value.
    pub fn apply(&self, uri: Uri<'_>) -> Result<Vec<UriBuf>, ParseError> {
        let mut starts = vec![uri.to_buf().edit()];
        for (part, values) in &self.iterate {
            let mut next = Vec::new();
            for builder in &starts {
                for value in values {
                    let mut builder = builder.clone();
                    set_to(&mut builder, *part, value)?;
                    next.push(builder);
                }
            }
            starts = next;
        }
        starts.into_iter().map(|builder| self.transform.edited(builder)).collect()
    }

    /// Returns the printed line of a URI.
    pub fn line(&self, uri: Uri<'_>) -> String {
        match &self.get {
            Some(template) => template.render(uri),
            None => uri.as_str().to_owned(),
        }
    }
}

impl TransformFlags {
    /// True if the flags change URIs.
    pub fn are_given(&self) -> bool {
        let lists = [&self.set, &self.append];
        lists.iter().any(|list| !list.is_empty())
            || !(self.trim.is_empty() && self.replace_query.is_empty())
            || self.sort_query
            || self.default_port
    }

    /// Returns the changed URI.
    pub fn apply(&self, uri: Uri<'_>) -> Result<UriBuf, ParseError> {
        self.edited(uri.to_buf().edit())
    }

    /// Returns the changed relative reference (RFC 3986 §4.2); `None` if it would be empty or of
    /// another form, which leads elsewhere.
    ///
    /// Only the parts that it has are changed. The others are those of its base: the scheme, the
    /// host if it has none, and also path and query if it has neither (§5.2.2).
    pub fn apply_to_reference(&self, reference: &str) -> Option<String> {
        // With a scheme that has no rules, it is a URI with the same parts.
        const STAND_IN: &str = "relative:";
        let uri = UriBuf::parse(format!("{STAND_IN}{reference}")).ok()?;
        let before = uri.as_uri();
        let has_host = before.host().is_some();
        let has_path = has_host || !before.path().is_empty();
        let has_query = has_path || before.query().is_some();
        let has = |part: EditedPart| match part {
            EditedPart::Scheme => false,
            EditedPart::Userinfo
            | EditedPart::User
            | EditedPart::Password
            | EditedPart::Host
            | EditedPart::Port => has_host,
            EditedPart::Path => has_path,
            EditedPart::Query => has_query,
            EditedPart::Fragment => true,
        };
        let of_own = |list: &[(EditedPart, String)]| -> Vec<_> {
            list.iter().filter(|(part, _)| has(*part)).cloned().collect()
        };
        let edits = Self { set: of_own(&self.set), append: of_own(&self.append), ..self.clone() };
        let edited = edits.apply(before).ok()?;
        let after = edited.as_uri();
        let rest = edited.as_str().strip_prefix(STAND_IN)?;
        let rest = match (has_path, before.query().is_some(), after.query()) {
            // Without any query, it would be that of the base; an empty one says that there is
            // none.
            (false, true, None) => format!("?{rest}"),
            // `a:b` would have a scheme (§4.2).
            _ if is_first_segment_with_colon(after) => format!("./{rest}"),
            _ => rest.to_owned(),
        };
        let is_same_form = UriRef::parse(&rest).is_ok_and(|new| {
            new.scheme().is_none() && new.host().is_some() == has_host && !rest.is_empty()
        });
        is_same_form.then_some(rest)
    }

    /// True if a URI with a new scheme still has the port that was the default of its old one:
    /// `https://h.example:80/` leads nowhere.
    fn leaves_port_of(&self, before: Uri<'_>, after: Uri<'_>) -> bool {
        let is_set = self.set.iter().any(|(part, _)| *part == EditedPart::Port);
        let default = |uri: Uri<'_>| default_port(&uri.scheme().to_ascii_lowercase());
        !is_set
            && after.port().is_some()
            && after.port() == default(before)
            && default(after).is_some_and(|port| after.port() != Some(port))
    }

    fn edited(&self, mut builder: UriBuilder) -> Result<UriBuf, ParseError> {
        let before = builder.build()?;
        for (part, value) in &self.set {
            set_to(&mut builder, *part, value)?;
        }
        if self.leaves_port_of(before.as_uri(), builder.build()?.as_uri()) {
            builder.set_port(None)?;
        }
        for glob in &self.trim {
            builder.remove_pairs(glob);
        }
        for (name, value) in &self.replace_query {
            // `--replace-query` never adds a parameter, as with trurl.
            if builder.pairs().any(|pair| pair.decoded_name() == name.as_str()) {
                builder.set_pair(name, value);
            }
        }
        for (part, value) in &self.append {
            append(&mut builder, *part, value)?;
        }
        // After `--append`, so that the appended parameters are sorted, too.
        if self.sort_query {
            builder.sort_pairs();
        }
        let uri = builder.build()?;
        let port = default_port(&uri.as_uri().scheme().to_ascii_lowercase());
        match port {
            Some(port)
                if self.default_port
                    && uri.as_uri().host().is_some()
                    && uri.as_uri().port().is_none() =>
            {
                builder.set_port(port)?.build()
            }
            _ => Ok(uri),
        }
    }
}

/// True if the path has no root and a colon in its first segment.
fn is_first_segment_with_colon(uri: Uri<'_>) -> bool {
    let first = uri.path().split('/').next().unwrap_or_default();
    uri.host().is_none() && first.contains(':')
}

fn set_to(builder: &mut UriBuilder, part: EditedPart, value: &str) -> Result<(), ParseError> {
    let is_removed = value.is_empty();
    match part {
        EditedPart::Scheme => builder.set_scheme(value).map(|_| ()),
        EditedPart::Userinfo if is_removed => builder.set_userinfo(None).map(|_| ()),
        EditedPart::Userinfo => set_text(builder, value, PercentSet::Userinfo, |builder, value| {
            builder.set_userinfo(value).map(|_| ())
        }),
        EditedPart::User | EditedPart::Password => set_user(builder, part, value),
        EditedPart::Host if is_removed => builder.set_host(None).map(|_| ()),
        EditedPart::Host => builder.set_host(&*ascii_host(value)).map(|_| ()),
        EditedPart::Port if is_removed => builder.set_port(None).map(|_| ()),
        EditedPart::Port => builder.set_port(value).map(|_| ()),
        EditedPart::Path => set_text(builder, value, PercentSet::Path, |builder, value| {
            builder.set_path(value).map(|_| ())
        }),
        EditedPart::Query if is_removed => builder.set_query(None).map(|_| ()),
        EditedPart::Query => set_text(builder, value, PercentSet::Query, |builder, value| {
            builder.set_query(value).map(|_| ())
        }),
        EditedPart::Fragment if is_removed => builder.set_fragment(None).map(|_| ()),
        EditedPart::Fragment => set_text(builder, value, PercentSet::Fragment, |builder, value| {
            builder.set_fragment(value).map(|_| ())
        }),
    }
}

/// Sets the part before or after the first colon of the userinfo.
fn set_user(builder: &mut UriBuilder, part: EditedPart, value: &str) -> Result<(), ParseError> {
    let uri = builder.build()?;
    let userinfo = uri.as_uri().userinfo().unwrap_or_default();
    let (user, password) = match userinfo.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (userinfo, None),
    };
    // A `:` in the user name would start the password, so it is encoded.
    let value = encode(value, PercentSet::User);
    let (user, password) = match part {
        EditedPart::User => (&*value, password),
        _ => (user, Some(&*value).filter(|value| !value.is_empty())),
    };
    let userinfo = match password {
        Some(password) => format!("{user}:{password}"),
        None => user.to_owned(),
    };
    builder.set_userinfo(Some(userinfo.as_str()).filter(|text| !text.is_empty())).map(|_| ())
}

fn append(builder: &mut UriBuilder, part: EditedPart, value: &str) -> Result<(), ParseError> {
    let uri = builder.build()?;
    let uri = uri.as_uri();
    if part == EditedPart::Query {
        return match value.split_once('=') {
            Some((name, value)) => {
                builder.append_pair(name, value);
                Ok(())
            }
            None => {
                let name = encode(value, PercentSet::QueryValue);
                let query = match uri.query() {
                    Some(query) if !query.is_empty() => format!("{query}&{name}"),
                    _ => name.into_owned(),
                };
                builder.set_query(query.as_str()).map(|_| ())
            }
        };
    }
    let (separator, path) = match uri.scheme().to_ascii_lowercase().as_str() {
        // Paths of these schemes have no segments: a URN is divided by colons, and `mailto:` is a
        // list of addresses (RFC 6068 §2).
        "urn" => (":", uri.path()),
        "mailto" => (",", uri.path()),
        // A slash at the end must not leave an empty segment before the new one.
        _ => ("/", uri.path().trim_end_matches('/')),
    };
    let segment = encode(value, PercentSet::Segment);
    builder.set_path(&format!("{path}{separator}{segment}")).map(|_| ())
}

/// Returns the decoded pairs of a query. `+` means a space in a query of the web, and itself
/// elsewhere.
pub fn decoded_pairs(uri: Uri<'_>) -> Vec<(String, Option<String>)> {
    let is_web = ["http", "https", "ftp", "ws", "wss"]
        .iter()
        .any(|web| uri.scheme().eq_ignore_ascii_case(web));
    let query = uri.query().unwrap_or_default();
    // In forms of the web, `+` is a space. RFC 3986 gives it no meaning, so for other schemes it is
    // encoded to survive the decoder.
    let query = if is_web { Cow::Borrowed(query) } else { Cow::Owned(query.replace('+', "%2B")) };
    let decoded = |pair: QueryPair<'_>| {
        (pair.decoded_name().into_owned(), pair.decoded_value().map(Cow::into_owned))
    };
    QueryPairs::new(&query).map(decoded).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum GetPart {
    Text(String),
    Field(GetField),
    /// The value of a parameter.
    Parameter(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GetField {
    Uri,
    Normalized,
    Nid,
    Nss,
    Part(EditedPart),
}

/// The template of `--get`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GetTemplate {
    parts: Vec<GetPart>,
}

impl GetTemplate {
    fn parse(text: &str) -> Result<Self, String> {
        let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['{', '}', '\\']) {
            plain.push_str(rest.get(..at).unwrap_or_default());
            rest = rest.get(at..).unwrap_or_default();
            let (read, length) = match rest.get(..2) {
                Some("{{") => ('{', 2),
                Some("}}") => ('}', 2),
                Some("\\n") => ('\n', 2),
                Some("\\t") => ('\t', 2),
                Some("\\\\") => ('\\', 2),
                _ if rest.starts_with('{') => {
                    let (name, after) = rest
                        .get(1..)
                        .and_then(|rest| rest.split_once('}'))
                        .ok_or("unclosed `{`")?;
                    if !plain.is_empty() {
                        parts.push(GetPart::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(field(name)?);
                    rest = after;
                    continue;
                }
                _ if rest.starts_with('}') => {
                    return Err("unmatched `}`; write `}}` for the character".to_owned());
                }
                _ => ('\\', 1),
            };
            plain.push(read);
            rest = rest.get(length..).unwrap_or_default();
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(GetPart::Text(plain));
        }
        Ok(Self { parts })
    }

    fn render(&self, uri: Uri<'_>) -> String {
        let mut line = String::new();
        for part in &self.parts {
            match part {
                GetPart::Text(text) => line.push_str(text),
                GetPart::Field(field) => line.push_str(&value(uri, *field)),
                GetPart::Parameter(name) => {
                    let pairs = decoded_pairs(uri);
                    let found = pairs.into_iter().find(|(known, _)| known == name);
                    line.push_str(&found.and_then(|(_, value)| value).unwrap_or_default());
                }
            }
        }
        line
    }
}

fn field(name: &str) -> Result<GetPart, String> {
    if let Some(name) = name.strip_prefix("query:") {
        return Ok(GetPart::Parameter(name.to_owned()));
    }
    let own = match name {
        "uri" | "url" => Some(GetField::Uri),
        "normalized" => Some(GetField::Normalized),
        "nid" => Some(GetField::Nid),
        "nss" => Some(GetField::Nss),
        _ => None,
    };
    let part =
        PARTS.iter().find(|(known, _)| *known == name).map(|(_, part)| GetField::Part(*part));
    own.or(part).map(GetPart::Field).ok_or_else(|| {
        let names: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
        format!(
            "unknown field `{name}`; the fields are uri, normalized, {}, nid, nss, and query:NAME",
            names.join(", ")
        )
    })
}

fn value<'u>(uri: Uri<'u>, field: GetField) -> Cow<'u, str> {
    let user = uri.userinfo().map(|info| {
        info.split_once(':').map_or((info, None), |(user, password)| (user, Some(password)))
    });
    let urn = || Urn::parse(uri.as_str()).ok();
    let text = match field {
        GetField::Uri => Some(uri.as_str()),
        GetField::Normalized => return Normalizer::new().normalize(uri),
        GetField::Nid => urn().map(|urn| urn.nid()),
        GetField::Nss => urn().map(|urn| urn.nss()),
        GetField::Part(part) => match part {
            EditedPart::Scheme => Some(uri.scheme()),
            EditedPart::Userinfo => uri.userinfo(),
            EditedPart::User => user.map(|(user, _)| user),
            EditedPart::Password => user.and_then(|(_, password)| password),
            EditedPart::Host => uri.host(),
            EditedPart::Port => uri.port(),
            EditedPart::Path => Some(uri.path()),
            EditedPart::Query => uri.query(),
            EditedPart::Fragment => uri.fragment(),
        },
    };
    Cow::Borrowed(text.unwrap_or_default())
}
