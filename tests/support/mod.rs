//! Runs the command in a directory of its own.

pub mod pack;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A run that takes longer hangs, also where other work and no optimization make it ten times as
/// slow.
pub const LIMIT: Duration = Duration::from_secs(120);

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }

    /// The lines of standard output, sorted.
    pub fn sorted(&self) -> Vec<&str> {
        let mut lines: Vec<_> = self.out().lines().collect();
        lines.sort_unstable();
        lines
    }

    /// Asserts status and the lines of output in any order.
    #[track_caller]
    pub fn is_sorted(&self, status: i32, lines: &[&str]) {
        assert_eq!(self.sorted(), lines, "stderr: {}", self.stderr);
        assert_eq!((self.status, self.stderr.as_str()), (Some(status), ""));
    }

    /// Asserts status and output, and that nothing was said on standard error.
    #[track_caller]
    pub fn is(&self, status: i32, stdout: &str) {
        assert_eq!(self.out(), stdout, "stderr: {}", self.stderr);
        assert_eq!((self.status, self.stderr.as_str()), (Some(status), ""));
    }
}

/// A directory that is removed in the end.
pub struct Dir(PathBuf);

impl Dir {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("urigrep-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a new directory");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, and the directories above it.
    pub fn file(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("below the directory")).expect("directories");
        fs::write(path, bytes).expect("a file");
        self
    }

    /// Runs git in this directory, with nobody's settings.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(&self.0)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        git.args(["-c", "user.name=n", "-c", "user.email=a@b.dev"]).args(args);
        let ran = git.output().expect("git");
        assert!(ran.status.success(), "{args:?}: {ran:?}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }

    /// Runs the command in this directory, with nothing on standard input.
    pub fn run(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
        finish(spawn(command(args).current_dir(&self.0).stdin(Stdio::null())))
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// The command that was built; `URIGREP_BINARY` names another, to see that it fails a test.
pub fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let other = std::env::var_os("URIGREP_BINARY");
    let mut command = Command::new(other.unwrap_or(env!("CARGO_BIN_EXE_urigrep").into()));
    command.args(args).env_remove("NO_COLOR").env_remove("URIGREP_CONFIG_PATH");
    for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(proxy).env_remove(proxy.to_lowercase());
    }
    command
}

pub fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts")
}

/// Runs the command with these bytes in a pipe on standard input.
pub fn pipe(args: impl IntoIterator<Item = impl AsRef<OsStr>>, stdin: impl AsRef<[u8]>) -> Ran {
    let mut child = spawn(command(args).stdin(Stdio::piped()));
    let mut to = child.stdin.take().expect("a pipe");
    let bytes = stdin.as_ref().to_vec();
    let writer = thread::spawn(move || drop(to.write_all(&bytes)));
    let ran = finish(child);
    writer.join().expect("written");
    ran
}

/// Waits for the end, and kills what takes too long.
pub fn finish(mut child: Child) -> Ran {
    let stdout = child.stdout.take().map(drain);
    let stderr = child.stderr.take().map(drain);
    let status = wait(&mut child);
    let stdout = stdout.map(|reader| reader.join().expect("read")).unwrap_or_default();
    let stderr = stderr.map(|reader| reader.join().expect("read")).unwrap_or_default();
    Ran { status: status.code(), stdout, stderr: String::from_utf8_lossy(&stderr).into_owned() }
}

pub fn wait(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("waited") {
            return status;
        }
        if started.elapsed() > LIMIT {
            child.kill().expect("killed");
            panic!("it hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn drain(mut from: impl std::io::Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("read");
        bytes
    })
}

/// True when this program is there; says so when it is not.
pub fn has(program: &str) -> bool {
    let there = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()));
    if !there {
        eprintln!("SKIPPED: this test needs {program}");
    }
    there
}

/// Runs the command on a terminal; both its streams come out of it.
pub fn on_terminal(dir: &Dir, args: &str, variables: &[(&str, &str)]) -> Option<String> {
    let line = format!("'{}' {args} </dev/null", env!("CARGO_BIN_EXE_urigrep"));
    script(dir, &line, variables)
}

/// Runs a command line on a terminal, without colours.
pub fn shell(dir: &Dir, line: &str) -> Option<String> {
    script(dir, line, &[("NO_COLOR", "1")])
}

/// By `script` of util-linux.
fn script(dir: &Dir, line: &str, variables: &[(&str, &str)]) -> Option<String> {
    if !has("script") {
        return None;
    }
    let mut command = Command::new("script");
    command.args(["-qec", line, "/dev/null"]);
    command.env_remove("NO_COLOR").env("TERM", "xterm").envs(variables.iter().copied());
    let ran = finish(spawn(command.current_dir(dir.path()).stdin(Stdio::null())));
    assert!(ran.status.is_some_and(|status| status <= 2), "{ran:?}");
    Some(String::from_utf8(ran.stdout).unwrap().replace("\r\n", "\n"))
}
