//! Words in the names of parameters, by which redaction recognizes secrets.

/// Names of parameters whose values are secrets, with their words joined.
#[rustfmt::skip]
pub(super) const NAMES: [&str; 29] = [
    "accesskeyid", "assertion", "authcode", "bearer", "clientassertion", "code", "cookie", "cred", "creds", "hmac", "mfa", "oobcode", "otp",
    "pass", "passcode", "pat", "pin", "psk", "pw", "samlresponse", "sess", "session", "sid", "sig", "sso",
    "ticket", "tok", "totp", "wresult",
];

/// Endings of such names, after any vendor prefix: `X-Amz-Security-Token`.
pub(super) const ENDINGS: [&str; 64] = [
    "accesscode",
    "accesskey",
    "accesskeyid",
    "accountkey",
    "activationkey",
    "adgangskode",
    "apikey",
    "appkey",
    "authcode",
    "authkey",
    "authorizationcode",
    "authorization",
    "backupcode",
    "bindpw",
    "connectionstring",
    "consumerkey",
    "contrasena",
    "credential",
    "credentials",
    "encryptionkey",
    "geslo",
    "haslo",
    "heslo",
    "jelszo",
    "jwt",
    "katasandi",
    "kennwort",
    "licensekey",
    "losenord",
    "lozinka",
    "masterkey",
    "matkhau",
    "motdepasse",
    "palavrapasse",
    "parola",
    "parol",
    "passkey",
    "passord",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "privatekey",
    "pwd",
    "recoverycode",
    "rlkey",
    "salasana",
    "secret",
    "secretkey",
    "senha",
    "sessid",
    "sessionid",
    "sharedkey",
    "sifre",
    "signature",
    "signingkey",
    "slaptazodis",
    "streamkey",
    "subscriptionkey",
    "token",
    "userpw",
    "verificationcode",
    "verifier",
    "wachtwoord",
];

/// Words for a password, a token, or a secret in other scripts, in lower case. A name that contains
/// one is the name of a secret.
#[rustfmt::skip]
pub(super) const NON_LATIN: [&str; 20] = [
    "пароль", "токен", "секрет", "κωδικός", "κωδικος", "סיסמה", "סיסמא", "كلمة السر",
    "كلمة المرور", "पासवर्ड", "รหัสผ่าน", "密码", "密碼", "口令", "令牌", "パスワード", "暗証", "비밀", "암호", "토큰",
];

/// Words that make a name suspicious.
#[rustfmt::skip]
pub(super) const HINTS: [&str; 17] = [
    "auth", "cert", "cookie", "hmac", "key", "oauth", "otp", "pass", "passcode", "pin", "psk", "pw",
    "session", "sid", "sig", "sso", "ticket",
];

/// Words for a permission that a value grants: anyone who has the link can sign in, or change the
/// account. The value may also be a name or a state (`?magic=1`, `?invite=bob`), so it counts as a
/// secret only if it looks generated.
#[rustfmt::skip]
pub(super) const ACTIONS: [&str; 73] = [
    "access", "activate", "activation", "ak", "appid", "approval", "approve", "authn", "authz", "checkout",
    "claim", "confirm", "confirmation", "csrf", "gda", "grant", "hdnea", "hdntl", "hdnts", "hook",
    "impersonate", "incoming", "invitation", "invite", "invoice", "join", "login", "magic", "magiclink",
    "manage", "mnemonic", "onetime", "optin", "optout", "otc", "ott", "pair", "pairing", "preferences",
    "private", "receipt", "recover", "recovery", "redeem", "refresh", "remember", "reset", "restore", "rsvp",
    "sas", "seed", "sgn", "share", "sign", "signed", "signin", "sk", "subscription", "sudo", "tk",
    "tkn", "trigger", "unlock", "unsub", "unsubscribe", "validate", "validation", "verification", "verify",
    "voucher", "webhook", "xsrf", "zak",
];

/// Ends of the last word of a name, for which the same holds: `viewkey`, `device_code`, `xsig`,
/// `sapisid`.
pub(super) const VAGUE_ENDS: [&str; 6] = ["key", "code", "nonce", "sid", "sig", "tok"];

/// Last words of a name that is about a secret, but not the secret itself: `token_type`.
#[rustfmt::skip]
pub(super) const ASPECTS: [&str; 53] = [
    "alg", "algorithm", "callback", "count", "date", "email", "enabled", "endpoint", "example",
    "expiration", "expire", "expires", "expiry", "field", "format", "header", "headers", "hint", "id",
    "issuer", "kind", "label", "lang", "len", "length", "lifetime", "limit", "max", "method", "min",
    "mode", "name", "page", "param", "policy", "prefix", "provider", "redirect", "required", "scheme",
    "scope", "size", "status", "strength", "time", "timestamp", "ttl", "type", "uri", "url", "user",
    "username", "version",
];

/// Cursors of paginated lists, which are not secrets: `pageToken`.
pub(super) const CURSORS: [&str; 6] =
    ["pagetoken", "nexttoken", "continuationtoken", "synctoken", "cursortoken", "starttoken"];
