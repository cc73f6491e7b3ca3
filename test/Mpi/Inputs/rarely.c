/* Rank 0 takes longer in "compute". The others wait for it in a call that has no more than a time on record: rarely
 * iprobe, improbe, fence, start or file, and a file to write. */
#include <loopscope/hooks.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int me, ranks;

static void compute(void) {
  __LOOPSCOPE_SPAN(3, PHASE, "compute", 3, "main");
  usleep(me == 0 ? 30000 : 1000);
}

static void tell(void) {
  for (int to = 1; to < ranks; ++to)
    MPI_Send(&me, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}

static void exchange(const char *how, MPI_Win window, MPI_File file) {
  __LOOPSCOPE_SPAN(4, PHASE, "exchange", 4, "main");
  int from = 0, there = 0;
  if (!strcmp(how, "fence")) {
    MPI_Win_fence(0, window);
  } else if (!strcmp(how, "file")) {
    MPI_File_write_at_all(file, 4 * me, &me, 1, MPI_INT, MPI_STATUS_IGNORE);
  } else if (!strcmp(how, "start")) {
    MPI_Group all, peers;
    int root = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &root, &peers);
    if (me == 0) {
      MPI_Group others;
      MPI_Group_excl(all, 1, &root, &others);
      MPI_Win_post(others, 0, window);
      MPI_Win_wait(window);
      MPI_Group_free(&others);
    } else {
      MPI_Win_start(peers, 0, window);
      MPI_Put(&me, 1, MPI_INT, 0, me, 1, MPI_INT, window);
      MPI_Win_complete(window);
    }
    MPI_Group_free(&peers);
    MPI_Group_free(&all);
  } else if (me == 0) {
    tell();
  } else if (!strcmp(how, "iprobe")) {
    while (!there)
      MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_Recv(&from, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Message message;
    while (!there)
      MPI_Improbe(0, 0, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&from, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  int *memory;
  MPI_Win window;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
    for (int i = 0; i < 12; ++i) {
      __LOOPSCOPE_STEP(2, 1);
      compute();
      exchange(argv[1], window, file);
    }
  }
  MPI_File_close(&file);
  MPI_Win_free(&window);
  MPI_Finalize();
}
