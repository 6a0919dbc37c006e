class Urigrep < Formula
  desc "{{description}}"
  homepage "{{homepage}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "{{url:aarch64-apple-darwin}}"
      sha256 "{{sha256:aarch64-apple-darwin}}"
    end
    on_intel do
      url "{{url:x86_64-apple-darwin}}"
      sha256 "{{sha256:x86_64-apple-darwin}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url:aarch64-unknown-linux-musl}}"
      sha256 "{{sha256:aarch64-unknown-linux-musl}}"
    end
    on_intel do
      url "{{url:x86_64-unknown-linux-musl}}"
      sha256 "{{sha256:x86_64-unknown-linux-musl}}"
    end
  end

  def install
    bin.install "urigrep"
    man1.install Dir["man/*.1"]
    bash_completion.install "complete/urigrep.bash" => "urigrep"
    zsh_completion.install "complete/_urigrep"
    fish_completion.install "complete/urigrep.fish"
  end

  test do
    (testpath/"a.txt").write "See http://a.example/b."
    assert_equal "http://a.example/b\n", shell_output("#{bin}/urigrep a.txt")
  end
end
