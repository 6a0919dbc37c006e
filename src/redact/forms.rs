//! Data for redaction: the type of a token's form, words that contain a mark, and addresses that
//! are secrets as a whole. `form_table.rs` has the forms that start with a prefix.
//!
//! Prefixes and lengths come from the documentation of the services, or of tools that search for
//! leaked tokens. A length is the shortest that was ever issued, because services sometimes make
//! their tokens longer. The check `credentials` uses the same data.

/// The characters of a token after its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenBody {
    /// ASCII letters and digits.
    Alphanumeric,
    /// Capitals and digits.
    Capital,
    /// Exactly `least` hexadecimal digits, and the number of a revision: `-2`.
    Hex,
    /// Letters, digits, `-` and `_`: the base64 of RFC 4648 §5.
    Base64Url,
    /// Like `Base64Url`, and dots.
    Dotted,
    /// Like `Dotted`, with at least one dot.
    Parts,
    /// Like `Base64Url`, with `+`, `/`, and `=`. In a path, a `/` ends it.
    Base64,
    /// Like `Base64Url`, but words with hyphens are not enough: the kind of letter changes often.
    Random,
    /// Pieces with these minimum and maximum lengths, separated by this character. Only with a dot,
    /// the pieces are base64; otherwise, they are letters and digits.
    Pieces(u8, &'static [[usize; 2]]),
    /// A number, a colon or `|`, and base64.
    Numbered,
    /// Any text, up to the end of its part of the URI.
    Anything,
    /// Any text after the rest of a label that names a private key of any kind.
    PrivateKey,
}

/// The form of a token.
#[derive(Debug)]
pub(crate) struct TokenForm {
    /// Name of the token, for messages; empty if it has none.
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    pub name: &'static str,
    pub prefixes: &'static [&'static str],
    pub body: TokenBody,
    /// Minimum number of characters after the prefix.
    pub least: usize,
    /// Address of the documentation, for tests.
    #[cfg_attr(not(test), allow(dead_code))]
    pub source: &'static str,
}

pub(super) const fn form(
    name: &'static str,
    prefixes: &'static [&'static str],
    body: TokenBody,
    least: usize,
    source: &'static str,
) -> TokenForm {
    let name = if cfg!(any(test, feature = "search")) { name } else { "" };
    let source = if cfg!(test) { source } else { "" };
    TokenForm { name, prefixes, body, least, source }
}

pub(super) const GITLEAKS: &str =
    "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
pub(super) const TRUFFLEHOG: &str =
    "https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors";

/// A token without a prefix: a word of letters and digits with a mark at or near its end.
#[derive(Debug)]
pub(crate) struct MarkedWord {
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    pub name: &'static str,
    /// Length of the word, at least and at most.
    pub length: [usize; 2],
    pub mark: &'static str,
    /// Start of the mark, in bytes before the end of the word.
    pub before_end: usize,
    pub tail: WordTail,
    #[cfg_attr(not(test), allow(dead_code))]
    pub source: &'static str,
}

/// The text after the mark of a [`MarkedWord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordTail {
    /// The rest of the word.
    Nothing,
    /// One or two digits.
    Digits,
    /// At least this many characters of base64, dots, or `~`.
    Secret(usize),
    /// Pieces as in [`TokenBody::Pieces`].
    Pieces(u8, &'static [[usize; 2]]),
}

const fn word(
    name: &'static str,
    length: [usize; 2],
    mark: &'static str,
    before_end: usize,
    tail: WordTail,
    source: &'static str,
) -> MarkedWord {
    let name = if cfg!(any(test, feature = "search")) { name } else { "" };
    let source = if cfg!(test) { source } else { "" };
    MarkedWord { name, length, mark, before_end, tail, source }
}

/// Every word that ends in `Q~`, or that has one of these lengths, is compared.
#[rustfmt::skip]
pub(crate) static WORDS: &[MarkedWord] = &[
    word("Azure AD client secret", [3, 5], "Q~", 1, WordTail::Secret(31), GITLEAKS),
    word("Salesforce session", [15, 15], "!", 0, WordTail::Secret(80), TRUFFLEHOG),
    word("MaxMind key", [29, 29], "_mmk", 0, WordTail::Nothing, GITLEAKS),
    word("Mailchimp key", [32, 32], "-us", 0, WordTail::Digits, GITLEAKS),
    word("Mailgun key", [32, 32], "-", 0, WordTail::Pieces(b'-', &[[8, 8], [8, 8]]), TRUFFLEHOG),
    word("New Relic key", [40, 40], "NRAL", 4, WordTail::Nothing, TRUFFLEHOG),
    word("RapidAPI key", [50, 50], "msh", 40, WordTail::Nothing, "https://docs.rapidapi.com/"),
    word("Webex token", [64, 64], "_PF84_", 0, WordTail::Secret(36), TRUFFLEHOG),
    word("Azure DevOps token", [84, 84], "AZDO", 8, WordTail::Nothing,
        "https://learn.microsoft.com/en-us/azure/devops/"),
    word("Azure key", [84, 84], "JQQJ9", 32, WordTail::Nothing,
        "https://learn.microsoft.com/en-us/purview/"),
];

/// An address that grants access to everyone who knows it: a host including its subdomains, and the
/// prefix of its secret paths, in which `*` is any segment.
#[derive(Debug)]
pub(crate) struct SecretAddress {
    #[cfg_attr(not(feature = "search"), allow(dead_code))]
    pub name: &'static str,
    pub host: &'static str,
    pub path: &'static str,
    #[cfg_attr(not(test), allow(dead_code))]
    pub source: &'static str,
}

const fn address(
    name: &'static str,
    host: &'static str,
    path: &'static str,
    source: &'static str,
) -> SecretAddress {
    let name = if cfg!(any(test, feature = "search")) { name } else { "" };
    let source = if cfg!(test) { source } else { "" };
    SecretAddress { name, host, path, source }
}

const SLACK: &str = "https://docs.slack.dev/tools/java-slack-sdk/guides/incoming-webhooks";
const DISCORD: &str = "https://discord.com/developers/docs/resources/webhook";
const MAKE: &str = "https://help.make.com/webhooks";
const CUSTOM: &str = "https://www.github.com/advanced-security/secret-scanning-custom-patterns";

#[rustfmt::skip]
pub(crate) static ADDRESSES: &[SecretAddress] = &[
    address("Slack webhook", "hooks.slack.com", "/services/", SLACK),
    address("Slack webhook", "hooks.slack.com", "/workflows/", SLACK),
    address("Slack webhook", "hooks.slack.com", "/triggers/", SLACK),
    address("Slack webhook", "hooks.slack-gov.com", "/services/", SLACK),
    address("Discord webhook", "discord.com", "/api/webhooks/", DISCORD),
    address("Discord webhook", "discordapp.com", "/api/webhooks/", DISCORD),
    // With a version of the API, as in `/api/v10/`.
    address("Discord webhook", "discord.com", "/api/*/webhooks/", DISCORD),
    address("Discord webhook", "discordapp.com", "/api/*/webhooks/", DISCORD),
    address("Telegram bot", "api.telegram.org", "/bot", "https://core.telegram.org/bots/api"),
    address("Telegram bot", "api.telegram.org", "/file/bot", "https://core.telegram.org/bots/api"),
    address("Teams webhook", "outlook.office.com", "/webhook/", CUSTOM),
    address("Teams webhook", "webhook.office.com", "/webhookb2/", CUSTOM),
    address("PagerDuty key", "events.pagerduty.com", "/integration/",
        "https://developer.pagerduty.com/docs/events-api-v1-overview"),
    address("Zapier webhook", "hooks.zapier.com", "/hooks/catch/",
        "https://docs.gitlab.com/17.8/ee/user/application_security/secret_detection/detected_secrets.html"),
    address("Zapier webhook", "hooks.zapier.com", "/hooks/standard/",
        "https://docs.gitlab.com/17.8/ee/user/application_security/secret_detection/detected_secrets.html"),
    address("Tines webhook", "tines.com", "/webhook/", TRUFFLEHOG),
    address("Feishu webhook", "open.feishu.cn", "/open-apis/bot/v2/hook/", "https://open.feishu.cn/"),
    address("Lark webhook", "open.larksuite.com", "/open-apis/bot/v2/hook/", "https://open.larksuite.com/"),
    address("Google calendar", "calendar.google.com", "/calendar/ical/*/private-",
        "https://support.google.com/calendar/answer/37648"),
    address("Outlook calendar", "outlook.office365.com", "/owa/calendar/", "https://support.microsoft.com/"),
    address("iCloud calendar", "icloud.com", "/published/2/", "https://support.apple.com/"),
    address("Airtable webhook", "hooks.airtable.com", "/workflows/v1/genericWebhook/*/*/",
        "https://support.airtable.com/"),
    address("Make webhook", "hook.eu1.make.com", "/", MAKE),
    address("Make webhook", "hook.eu2.make.com", "/", MAKE),
    address("Make webhook", "hook.us1.make.com", "/", MAKE),
    address("Make webhook", "hook.us2.make.com", "/", MAKE),
    address("Make webhook", "hook.integromat.com", "/", MAKE),
    address("Webhook.site address", "webhook.site", "/", "https://docs.webhook.site/"),
    address("Netlify build hook", "api.netlify.com", "/build_hooks/", "https://docs.netlify.com/build/configure-builds/build-hooks/"),
    address("Vercel deploy hook", "api.vercel.com", "/v1/integrations/deploy/*/", "https://vercel.com/docs/deploy-hooks"),
    address("Cloudflare deploy hook", "api.cloudflare.com", "/client/v4/pages/webhooks/deploy_hooks/",
        "https://developers.cloudflare.com/pages/configuration/deploy-hooks/"),
    address("Healthchecks address", "hc-ping.com", "/", "https://healthchecks.io/docs/"),
    address("Cronitor address", "cronitor.link", "/p/", "https://cronitor.io/docs/"),
    address("Better Stack heartbeat", "uptime.betterstack.com", "/api/v1/heartbeat/", "https://betterstack.com/docs/"),
    address("Honeybadger check-in", "api.honeybadger.io", "/v1/check_in/", "https://docs.honeybadger.io/"),
    address("VictorOps alert", "alert.victorops.com", "/integrations/generic/*/alert/", "https://help.victorops.com/"),
    // Each region has a domain of its own, some below the first: `us3.datadoghq.com`.
    address("Datadog intake", "datadoghq.com", "/v1/input/", "https://docs.datadoghq.com/"),
    address("Datadog intake", "datadoghq.eu", "/v1/input/", "https://docs.datadoghq.com/"),
    address("Datadog intake", "ddog-gov.com", "/v1/input/", "https://docs.datadoghq.com/"),
    address("Bark key", "api.day.app", "/", "https://bark.day.app/"),
    address("ServerChan key", "sctapi.ftqq.com", "/", "https://sct.ftqq.com/"),
    address("Dead Man's Snitch address", "nosnch.in", "/", "https://deadmanssnitch.com/docs"),
    address("smee channel", "smee.io", "/", "https://smee.io/"),
    address("Docker Hub build trigger", "hub.docker.com", "/api/build/v1/source/*/trigger/", "https://docs.docker.com/docker-hub/"),
    address("Bitrise webhook", "hooks.bitrise.io", "/h/*/*/", "https://docs.bitrise.io/"),
    address("Sumo Logic collector", "sumologic.com", "/receiver/v1/http/", "https://help.sumologic.com/"),
    address("Loggly input", "loggly.com", "/inputs/", "https://documentation.solarwinds.com/"),
    address("Logentries input", "webhook.logentries.com", "/noformat/logs/", "https://docs.rapid7.com/"),
    address("Infura key", "infura.io", "/v3/", "https://docs.metamask.io/services/"),
    address("Alchemy key", "g.alchemy.com", "/v2/", "https://www.alchemy.com/docs/"),
    address("QuickNode key", "quiknode.pro", "/", "https://www.quicknode.com/docs/"),
    address("Ankr key", "rpc.ankr.com", "/*/", "https://www.ankr.com/docs/"),
    address("ExchangeRate-API key", "v6.exchangerate-api.com", "/v6/", "https://www.exchangerate-api.com/docs/"),
    address("Slack invitation", "join.slack.com", "/t/*/shared_invite/", "https://slack.com/help/articles/201330256"),
    address("WhatsApp invitation", "chat.whatsapp.com", "/", "https://faq.whatsapp.com/"),
    address("Telegram invitation", "t.me", "/+", "https://core.telegram.org/api/links"),
    address("Telegram invitation", "t.me", "/joinchat/", "https://core.telegram.org/api/links"),
    address("YouTube stream key", "rtmp.youtube.com", "/live2/", "https://support.google.com/youtube/answer/2907883"),
    address("Twitch stream key", "live.twitch.tv", "/app/", "https://dev.twitch.tv/docs/video-broadcast/"),
    address("Facebook stream key", "live-api-s.facebook.com", "/rtmp/", "https://developers.facebook.com/docs/live-video-api/"),
];

#[cfg(test)]
mod tests {
    use super::super::form_table::FORMS;
    use super::*;

    #[test]
    fn tables_are_complete() {
        for form in FORMS {
            assert!(form.source.starts_with("https://"), "{form:?}");
            assert!(!form.prefixes.is_empty() && !form.name.is_empty(), "{form:?}");
        }
        for word in WORDS {
            assert!(word.source.starts_with("https://"), "{word:?}");
            assert!(!word.mark.is_empty() && !word.name.is_empty(), "{word:?}");
            assert!(word.length[0] <= word.length[1] && word.before_end <= word.length[0]);
        }
        for address in ADDRESSES {
            assert!(address.source.starts_with("https://"), "{address:?}");
            assert!(address.path.starts_with('/'), "{address:?}");
            assert_eq!(address.host, address.host.to_ascii_lowercase());
        }
    }
}
