/* Counts the calls that allocate, of a process that loads this library first, and writes the count to the file that
   ALLOCATIONS names when the process ends. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong calls;

void *malloc(size_t size) {
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_realloc(old, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : 12;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("ALLOCATIONS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", atomic_load(&calls));
        fclose(file);
    }
}
