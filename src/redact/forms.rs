//! Data for redaction: tokens with a recognizable form, and addresses that are secrets as a whole.
//!
//! Prefixes and lengths come from the documentation of the services, or of tools that search for
//! leaked tokens. A length is the shortest that was ever issued, because services lengthen their
//! tokens now and then. The check `credentials` uses the same data.

/// The characters of a token after its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenBody {
    /// ASCII letters and digits.
    Alphanumeric,
    /// Capitals and digits.
    Capital,
    /// Exactly `least` hexadecimal digits.
    Hex,
    /// Letters, digits, `-` and `_`: the base64 of RFC 4648 §5.
    Base64Url,
    /// Like `Base64Url`, and dots.
    Dotted,
    /// Like `Dotted`, with at least one dot.
    Parts,
    /// A number, a colon, and base64.
    Numbered,
    /// Any text, up to the end of its part of the URI.
    Anything,
    /// Any text after the rest of a label that names a private key of any kind.
    PrivateKey,
}

/// The form of a token.
#[derive(Debug)]
pub(crate) struct TokenForm {
    /// Name of the token, for messages; empty where none has it.
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

const fn form(
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

const OPENROUTER: &str = "https://openrouter.ai/docs/guides/features/guardrails/secret-formats.md";
const GITLEAKS: &str = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
const KEYHOG: &str = "https://docs.rs/crate/keyhog-scanner/0.5.37/source/tests/contracts/";
const NOSECRETS: &str = "https://docs.rs/crate/nosecrets-rules/latest/source/rules/code.toml";

use TokenBody::{
    Alphanumeric, Anything, Base64Url, Capital, Dotted, Hex, Numbered, Parts, PrivateKey,
};

#[rustfmt::skip]
pub(crate) const FORMS: &[TokenForm] = &[
    form("GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Alphanumeric, 30,
        "https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available"),
    form("GitHub token", &["github_pat_"], Base64Url, 30, OPENROUTER),
    form("GitLab token", &["glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-",
        "glagent-", "glsoat-", "glffct-", "glwt-"], Dotted, 20,
        "https://docs.gitlab.com/17.5/ee/security/tokens"),
    form("GitLab runner token", &["GR1348941"], Base64Url, 20, "https://docs.gitlab.com/17.5/ee/security/tokens"),
    form("npm token", &["npm_"], Alphanumeric, 30, NOSECRETS),
    form("PyPI token", &["pypi-AgE"], Base64Url, 30, GITLEAKS),
    form("RubyGems key", &["rubygems_"], Hex, 48, GITLEAKS),
    form("Docker Hub token", &["dckr_pat_", "dckr_oat_"], Base64Url, 20, GITLEAKS),
    form("Slack token", &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-",
        "xapp-"], Dotted, 10, "https://docs.slack.dev/authentication/tokens"),
    form("Stripe key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], Alphanumeric, 10,
        "https://docs.stripe.com/api/authentication"),
    form("AWS access key ID", &["AKIA", "ASIA", "ABIA", "ACCA"], Capital, 16,
        "https://docs.amazonaws.cn/goto/WebAPI/sts-2011-06-15/GetAccessKeyInfo"),
    form("Google API key", &["AIza"], Base64Url, 30, OPENROUTER),
    form("Google OAuth secret", &["GOCSPX-"], Base64Url, 20, OPENROUTER),
    form("Google OAuth token", &["ya29."], Base64Url, 20, GITLEAKS),
    form("secret address of a Google calendar", &["private-"], Hex, 32,
        "https://support.google.com/calendar/answer/37648"),
    form("Hugging Face token", &["hf_", "api_org_"], Alphanumeric, 30, GITLEAKS),
    form("OpenAI key", &["sk-proj-", "sk-svcacct-", "sk-admin-"], Base64Url, 20, OPENROUTER),
    form("OpenAI key", &["sk-"], Alphanumeric, 40, OPENROUTER),
    form("Anthropic key", &["sk-ant-"], Base64Url, 20, OPENROUTER),
    form("OpenRouter key", &["sk-or-v1-"], Hex, 64, OPENROUTER),
    form("Tailscale key", &["tskey-"], Base64Url, 16, "https://tailscale.com/docs/reference/key-prefixes"),
    form("DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], Hex, 64, GITLEAKS),
    form("SendGrid key", &["SG."], Parts, 40, GITLEAKS),
    form("Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], Hex, 32, GITLEAKS),
    form("Twilio key", &["SK"], Hex, 32,
        "https://raw.githubusercontent.com/sourcegraph-community/no-secrets/main/secret-examples.md"),
    form("Mailgun key", &["key-"], Hex, 32,
        "https://raw.githubusercontent.com/sourcegraph-community/no-secrets/main/secret-examples.md"),
    form("HashiCorp Vault token", &["hvs.", "hvb.", "hvr."], Base64Url, 20, GITLEAKS),
    form("Databricks token", &["dapi"], Hex, 32, GITLEAKS),
    form("Grafana token", &["glc_", "glsa_"], Base64Url, 30, GITLEAKS),
    form("Linear key", &["lin_api_"], Alphanumeric, 30, GITLEAKS),
    form("Notion token", &["ntn_"], Alphanumeric, 30, GITLEAKS),
    form("Postman key", &["PMAK-"], Base64Url, 30, GITLEAKS),
    form("Pulumi token", &["pul-"], Hex, 40, GITLEAKS),
    form("PlanetScale secret", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], Dotted, 30, GITLEAKS),
    form("Sentry token", &["sntrys_", "sntryu_"], Base64Url, 30, GITLEAKS),
    form("Doppler token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], Dotted, 30, GITLEAKS),
    form("Dynatrace token", &["dt0c01."], Parts, 40, GITLEAKS),
    form("Alibaba access key ID", &["LTAI"], Alphanumeric, 16, GITLEAKS),
    form("Atlassian token", &["ATATT3", "ATCTT3"], Base64Url, 40, GITLEAKS),
    form("New Relic key", &["NRAK-"], Alphanumeric, 27, GITLEAKS),
    form("Figma token", &["figd_"], Base64Url, 30, GITLEAKS),
    form("Groq key", &["gsk_"], Alphanumeric, 40, KEYHOG),
    form("Netlify token", &["nfp_"], Alphanumeric, 30, KEYHOG),
    form("Supabase key", &["sbp_"], Hex, 40, KEYHOG),
    form("Supabase key", &["sb_secret_"], Base64Url, 20, KEYHOG),
    form("Replicate token", &["r8_"], Alphanumeric, 30, KEYHOG),
    form("Perplexity key", &["pplx-"], Alphanumeric, 40, KEYHOG),
    form("Heroku key", &["HRKU-"], Base64Url, 30, KEYHOG),
    form("Buildkite token", &["bkua_"], Hex, 40, KEYHOG),
    form("HubSpot token", &["pat-na1-", "pat-eu1-"], Base64Url, 30, KEYHOG),
    form("Square secret", &["sq0csp-"], Base64Url, 30, KEYHOG),
    form("Dropbox token", &["sl."], Base64Url, 100, KEYHOG),
    form("JFrog key", &["AKCp"], Alphanumeric, 60, GITLEAKS),
    form("1Password token", &["ops_eyJ"], Base64Url, 100, GITLEAKS),
    form("Telegram bot token", &["bot", ""], Numbered, 30, "https://core.telegram.org/bots/api"),
    // The base64 of `{"`, twice with a dot between (RFC 7519 §3.1).
    form("JSON Web Token", &["eyJ"], Parts, 10, "https://www.rfc-editor.org/rfc/rfc7519"),
    // RFC 7468 §10, and its base64.
    form("private key", &["-----BEGIN"], PrivateKey, 0, "https://www.rfc-editor.org/rfc/rfc7468"),
    form("private key", &[
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFW", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRV", "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFW",
        "LS0tLS1CRUdJTiBEU0EgUFJJVkFURSBLRV", "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ",
        "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBLRV", "LS0tLS1CRUdJTiBQR1AgUFJJVkFURSBLRV"], Anything, 0,
        "https://www.rfc-editor.org/rfc/rfc7468"),
    form("age key", &["AGE-SECRET-KEY-1"], Capital, 50, GITLEAKS),
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
const CUSTOM: &str = "https://www.github.com/advanced-security/secret-scanning-custom-patterns";

#[rustfmt::skip]
pub(crate) static ADDRESSES: &[SecretAddress] = &[
    address("Slack webhook", "hooks.slack.com", "/services/", SLACK),
    address("Slack webhook", "hooks.slack.com", "/workflows/", SLACK),
    address("Slack webhook", "hooks.slack.com", "/triggers/", SLACK),
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
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_complete() {
        for form in FORMS {
            assert!(form.source.starts_with("https://"), "{form:?}");
            assert!(!form.prefixes.is_empty() && !form.name.is_empty(), "{form:?}");
        }
        for address in ADDRESSES {
            assert!(address.source.starts_with("https://"), "{address:?}");
            assert!(address.path.starts_with('/'), "{address:?}");
            assert_eq!(address.host, address.host.to_ascii_lowercase());
        }
    }
}
