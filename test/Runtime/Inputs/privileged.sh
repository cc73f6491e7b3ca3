# Runs the program $1 as nobody, with all environment variables that a user may set, in
# the directory "user", which contains the user's "loopscope". Fails if any file was made.
set -u
before=$(find . ! -name out | sort)
as_user() {
  setpriv --reuid=65534 --regid=65534 --clear-groups env PATH="$PWD/user:$PATH" "$@"
}
program=$PWD/${1#./}
cd user
as_user "$program"
as_user LOOPSCOPE=advanced,output=../root/preload,report=none "$program"
as_user LOOPSCOPE=report=../root/cron,output=/tmp/ "$program"
as_user LOOPSCOPE=trace,output=../root/made/,log=../root/log,progress,devices=10 "$program"
as_user LOOPSCOPE=not-a-word "$program"
as_user LOOPSCOPE=gpu=on,nvtx=on LOOPSCOPE_CUPTI="$PWD/loopscope" CUDA_HOME="$PWD" \
  LOOPSCOPE_NVML="$PWD/loopscope" NVTX_INJECTION64_PATH="$PWD/loopscope" "$program"
as_user RANK=1 WORLD_SIZE=2 NVTX_INJECTION64_PATH=/libloopscope-nvtx.so "$program"
cd ..
test "$before" = "$(find . ! -name out | sort)"
