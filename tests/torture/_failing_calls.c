/* Preloaded: the N-th call of one function of the C library fails once with an error of choice, after `arm_fault`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, SYNC, RENAME, MAP, TRUNCATE, UNLINK, KINDS };
static long counts[KINDS];
static int armed = -1, error_code, counting;
static long left;

void arm_fault(int kind, long nth, int error) { memset(counts, 0, sizeof counts); counting = 1; armed = kind; left = nth; error_code = error; }
long fault_count(int kind) { return counts[kind]; }

/* The program's own files are not what is tried. */
static int is_code(const char *path) {
    size_t length = strlen(path);
    return (length > 3 && !strcmp(path + length - 3, ".py")) || strstr(path, ".pyc") || strstr(path, ".so");
}

static int fails(int kind) {
    if (!counting) return 0;
    counts[kind]++;
    if (armed == kind && --left == 0) { armed = -1; errno = error_code; return 1; }
    return 0;
}
#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)
#define OPENER(name) int name(const char *path, int flags, ...) { mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); } \
    REAL(int, name, const char *, int, ...); if (!is_code(path) && fails(OPEN)) return -1; return real(path, flags, mode); }
OPENER(open)
OPENER(open64)
#define OPENER_AT(name) int name(int folder, const char *path, int flags, ...) { mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); } \
    REAL(int, name, int, const char *, int, ...); if (!is_code(path) && fails(OPEN)) return -1; return real(folder, path, flags, mode); }
OPENER_AT(openat)
OPENER_AT(openat64)
ssize_t read(int file, void *to, size_t size) { REAL(ssize_t, read, int, void *, size_t); return fails(READ) ? -1 : real(file, to, size); }
ssize_t pread(int file, void *to, size_t size, off_t at) { REAL(ssize_t, pread, int, void *, size_t, off_t); return fails(READ) ? -1 : real(file, to, size, at); }
ssize_t pread64(int file, void *to, size_t size, off64_t at) { REAL(ssize_t, pread64, int, void *, size_t, off64_t); return fails(READ) ? -1 : real(file, to, size, at); }
ssize_t write(int file, const void *from, size_t size) { REAL(ssize_t, write, int, const void *, size_t); return (file > 2 && fails(WRITE)) ? -1 : real(file, from, size); }
ssize_t pwrite(int file, const void *from, size_t size, off_t at) { REAL(ssize_t, pwrite, int, const void *, size_t, off_t); return fails(WRITE) ? -1 : real(file, from, size, at); }
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) { REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t); return fails(WRITE) ? -1 : real(file, from, size, at); }
int fsync(int file) { REAL(int, fsync, int); return fails(SYNC) ? -1 : real(file); }
int fdatasync(int file) { REAL(int, fdatasync, int); return fails(SYNC) ? -1 : real(file); }
int rename(const char *from, const char *to) { REAL(int, rename, const char *, const char *); return fails(RENAME) ? -1 : real(from, to); }
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) { REAL(void *, mmap, void *, size_t, int, int, int, off_t); if (file >= 0 && fails(MAP)) return MAP_FAILED; return real(at, size, protection, flags, file, offset); }
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) { REAL(void *, mmap64, void *, size_t, int, int, int, off64_t); if (file >= 0 && fails(MAP)) return MAP_FAILED; return real(at, size, protection, flags, file, offset); }
int ftruncate(int file, off_t size) { REAL(int, ftruncate, int, off_t); return fails(TRUNCATE) ? -1 : real(file, size); }
int ftruncate64(int file, off64_t size) { REAL(int, ftruncate64, int, off64_t); return fails(TRUNCATE) ? -1 : real(file, size); }
int unlink(const char *path) { REAL(int, unlink, const char *); return fails(UNLINK) ? -1 : real(path); }
