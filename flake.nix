{
  description = "urigrep: finds URIs and URNs, and checks links";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      cargo = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).package;
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = build: nixpkgs.lib.genAttrs systems (system: build nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = cargo.name;
          version = cargo.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          buildType = "dist";
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The tests are for a clone with its history and other programs.
          doCheck = false;
          postInstall = ''
            patchShebangs packaging/assets
            packaging/assets $out/bin/urigrep assets
            installManPage assets/man/*.1
            installShellCompletion --cmd urigrep \
              --bash assets/complete/urigrep.bash \
              --zsh assets/complete/_urigrep \
              --fish assets/complete/urigrep.fish
          '';
          doInstallCheck = true;
          installCheckPhase = ''
            test "$(echo 'See http://a.example/b.' | $out/bin/urigrep)" = http://a.example/b
          '';
          meta = {
            inherit (cargo) description homepage;
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "urigrep";
          };
        };
      });
    };
}
