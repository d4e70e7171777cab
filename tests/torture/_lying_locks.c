/* Preloaded: after `tell_lies`, one folder is a network drive, and its locks are not what they seem.

   ALWAYS: every lock is granted, and locks nothing. NEVER: every lock fails with an error of choice. COMPUTER: locks hold
   among the processes of one computer alone, and so does the memory that they share. MEMORY: locks hold everywhere, the
   memory is shared with nobody. NO_MEMORY: it cannot be shared at all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TRUE_LOCKS, ALWAYS, NEVER, COMPUTER, MEMORY, NO_MEMORY };
static char drive[512];
static int lie = TRUE_LOCKS, lock_error, computer;

void tell_lies(const char *folder, int kind, int error, int number) {
    snprintf(drive, sizeof drive, "%s/", folder);
    lie = kind; lock_error = error; computer = number;
}

static int is_there(const char *path) { return *drive && path && !strncmp(path, drive, strlen(drive)); }

static const char *path_of(int file) {
    static __thread char path[1024];
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return path;
}

static int is_memory(const char *path) {
    size_t length = strlen(path);
    return is_there(path) && length > 4 && (!strcmp(path + length - 4, "-shm") || strstr(path, "-shm.computer"));
}

/* Each computer has a file of its own for what is shared in memory. */
static const char *own(const char *path, char *room) {
    if (lie != COMPUTER || !path || !is_memory(path)) return path;
    snprintf(room, 1024, "%s.computer%d", path, computer);
    return room;
}

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int mounts(void) {
    char text[1024];
    int length = snprintf(text, sizeof text, "1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:9 / %.*s rw shared:1 - nfs4 server:/home rw\n",
                          (int)strlen(drive) - 1, drive);
    int file = memfd_create("mountinfo", MFD_CLOEXEC);
    if (write(file, text, length) < 0 || lseek(file, 0, SEEK_SET) < 0) return -1;
    return file;
}

#define OPENER(name) int name(const char *path, int flags, ...) { mode_t mode = 0; char room[1024]; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); } \
    REAL(int, name, const char *, int, ...); \
    if (*drive && !strcmp(path, "/proc/self/mountinfo")) return mounts(); \
    return real(own(path, room), flags, mode); }
OPENER(open)
OPENER(open64)
int unlink(const char *path) { char room[1024]; REAL(int, unlink, const char *); return real(own(path, room)); }

int uname(struct utsname *name) {
    REAL(int, uname, struct utsname *);
    int result = real(name);
    if (*drive) snprintf(name->nodename, sizeof name->nodename, "computer%d", computer);
    return result;
}

/* Ranges of computers do not meet, as SQLite's bytes and ours are far below. */
static const off_t RANGE = (off_t)1 << 42, WHOLE = (off_t)1 << 41;

#define LOCKER(name) int name(int file, int command, ...) { \
    va_list more; va_start(more, command); void *given = va_arg(more, void *); va_end(more); \
    REAL(int, name, int, int, ...); \
    if ((command != F_SETLK && command != F_SETLKW && command != F_GETLK) || !is_there(path_of(file))) return real(file, command, given); \
    struct flock *lock = given; \
    if (lie == ALWAYS) { if (command == F_GETLK) lock->l_type = F_UNLCK; return 0; } \
    if (lie == NEVER) { errno = lock_error; return -1; } \
    if (lie != COMPUTER || lock->l_whence != SEEK_SET) return real(file, command, given); \
    lock->l_start += computer * RANGE; \
    int result = real(file, command, given); \
    lock->l_start -= computer * RANGE; \
    return result; }
LOCKER(fcntl)
LOCKER(fcntl64)

int flock(int file, int operation) {
    REAL(int, flock, int, int);
    if (!is_there(path_of(file)) || lie == TRUE_LOCKS || lie >= MEMORY) return real(file, operation);
    if (lie == ALWAYS) return 0;
    if (lie == NEVER) { errno = lock_error; return -1; }
    int how = operation & ~LOCK_NB;
    struct flock lock = {.l_type = how == LOCK_UN ? F_UNLCK : how == LOCK_SH ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET,
                         .l_start = computer * RANGE + WHOLE, .l_len = 1};
    int result = fcntl(file, operation & LOCK_NB ? F_OFD_SETLK : F_OFD_SETLKW, &lock);
    return result;
}

#define MAPPER(name, offset_t) void *name(void *at, size_t size, int protection, int flags, int file, offset_t offset) { \
    REAL(void *, name, void *, size_t, int, int, int, offset_t); \
    if (lie == MEMORY && file >= 0 && is_memory(path_of(file))) flags = (flags & ~MAP_SHARED) | MAP_PRIVATE; \
    if (lie == NO_MEMORY && file >= 0 && (flags & MAP_SHARED) && is_there(path_of(file))) { errno = ENODEV; return MAP_FAILED; } \
    return real(at, size, protection, flags, file, offset); }
MAPPER(mmap, off_t)
MAPPER(mmap64, off64_t)
