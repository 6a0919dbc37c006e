#!/bin/sh
# provision.sh - set up a build worker
#
# Usage: curl -fsSL https://get.foundry.example/provision.sh | sudo sh -s -- --region eu
#        wget -qO- https://get.foundry.example/provision.sh?channel=beta | sudo sh
#
# Based on https://github.com/moby/moby/blob/master/contrib/download-frozen-image-v2.sh
# License: Apache-2.0 <https://www.apache.org/licenses/LICENSE-2.0>
set -eu

BASE=https://artifacts.foundry.example/generic
: "${MIRROR:=http://archive.ubuntu.com/ubuntu/}"
: ${KEYSERVER:=hkp://keyserver.ubuntu.com:80}
export http_proxy="http://10.0.2.2:3128/" https_proxy='http://10.0.2.2:3128/' no_proxy=localhost,127.0.0.1,.foundry.example
ARCH=$(dpkg --print-architecture)   # amd64|arm64
VERSION=${VERSION:-1.19.4}

die() { echo "provision: $*; see https://wiki.foundry.example/Provisioning#Errors" >&2; exit 1; }

# apt
cat > /etc/apt/sources.list.d/foundry.list <<EOF
deb [arch=amd64 signed-by=/usr/share/keyrings/foundry.gpg] https://apt.foundry.example/ubuntu jammy main
deb-src https://apt.foundry.example/ubuntu jammy main
# deb http://apt-staging.foundry.example/ubuntu/ jammy main
deb ${MIRROR} jammy universe
deb cdrom:[Ubuntu 22.04 LTS _Jammy Jellyfish_]/ jammy main
deb file:/srv/apt ./
deb copy:///media/usb/apt ./
EOF
curl -fsSL https://apt.foundry.example/key.gpg|gpg --dearmor>/usr/share/keyrings/foundry.gpg
gpg --keyserver hkps://keys.openpgp.org --recv-keys 0xDEADBEEF || die "no key: https://keys.openpgp.org/search?q=0xDEADBEEF"

# docker
mkdir -p /etc/docker
echo '{"registry-mirrors":["https://mirror.gcr.io","http://10.0.2.2:5000"],"hosts":["unix:///var/run/docker.sock","tcp://0.0.0.0:2376"]}' > /etc/docker/daemon.json

# tools
for url in \
    https://dl.k8s.io/release/v1.28.3/bin/linux/amd64/kubectl \
    https://get.helm.sh/helm-v3.13.1-linux-amd64.tar.gz \
    "https://releases.foundry.example/$VERSION/foundry_${VERSION}_linux_$ARCH.zip" \
    https://github.com/mikefarah/yq/releases/download/v4.35.2/yq_linux_amd64
do
    curl -fLO "$url" || die "cannot fetch <$url>"
done
tar xzf helm-*.tar.gz; [ -x ./linux-amd64/helm ] || die "bad tarball (https://github.com/helm/helm/issues/11111)"

pip3 install -i https://pypi.foundry.example/simple --extra-index-url=https://pypi.org/simple/ 'foundry-cli @ git+https://git.foundry.example/tools/cli.git@v2.1#egg=foundry-cli&subdirectory=py'
npm config set //npm.foundry.example/:_authToken=XYZ
npm config set registry https://npm.foundry.example/
git config --global url."https://git.foundry.example/".insteadOf ssh://git@git.foundry.example/
git config --global url.https://.insteadOf git://
git clone git@git.foundry.example:infra/worker.git || git clone ssh://git@git.foundry.example:2222/infra/worker.git
git remote add upstream file:///srv/git/worker.git
go env -w GOPROXY=https://goproxy.foundry.example,https://proxy.golang.org,direct GOFLAGS=-mod=mod

aws s3 sync s3://foundry-worker-eu/bootstrap/ /opt/bootstrap --delete
gsutil cp gs://foundry-cache/v1/index.json . && rclone copy remote:bucket/path /mnt
mount -t nfs nas.foundry.example:/export/cache /mnt/cache
ldapsearch -H ldaps://ldap.foundry.example:636 -b 'ou=people,dc=foundry,dc=example' '(uid=*)'
psql "postgresql://worker:pa%24%24@db.foundry.example/worker?sslmode=verify-full&connect_timeout=10" -c 'select 1::int'
openssl s_client -connect git.foundry.example:443 </dev/null

# health check: retry until http://localhost:8080/healthz says "ok"
i=0
until curl -sf http://localhost:8080/healthz; do i=$((i+1)); [ $i -lt 30 ] || die 'timeout: http://localhost:8080/healthz'; sleep 1; done
curl -X POST -H 'Content-Type: application/json' --data "{\"text\":\"worker <https://ci.foundry.example/worker/17|w-17> ready\"}" https://hooks.slack.example/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
echo "Done. Open https://ci.foundry.example/workers, or http://$(hostname -I | cut -d' ' -f1):8080/."
