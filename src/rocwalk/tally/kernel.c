/* Rows in order of decreasing score: count, scatter, finish in cache.

   The driver is kernel.py; nobody else calls this. Each function works on a range of rows or of
   slots and does not hold the GIL meanwhile, so the same code serves one thread and several.

   A key is how far the bit pattern of a score lies below that of the highest score: equal scores
   have equal keys, and keys rise as scores fall. A slot is a range of scores small enough to be
   sorted in the cache. Rows keep their order within a slot, so no result depends on the number of
   threads. With labels a slot has two streams of keys, that of the negatives and that of the
   positives; a stream of records carries a load of 8 bytes with each key. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 128        /* rows whose streams are found at once */
#define DIGIT 13         /* a slot is spread over at most 2^DIGIT bins, whose counts fit into L1 */
#define DEEPEST 16       /* a level of sorting settles 5 bits of 64 or more */
#define FEW 24           /* keys that are sorted by insertion */
#define SIGN ((uint64_t)1 << 63)
#ifdef __GNUC__
#define FETCH(address) __builtin_prefetch(address, 1) /* a hint; any address may be given */
#else
#define FETCH(address) ((void)0)
#endif
#if defined(_MSC_VER) && !defined(restrict) /* which knows the word from C11 on only */
#define restrict __restrict
#endif

typedef uint64_t u64;
typedef struct { u64 key, load; } Record;
typedef struct { double top, grid, last; u64 ceiling; int shift; } Plan;
typedef struct { u64 low; int shift; size_t count, fullest; } Bins;

/* -- scores and keys --------------------------------------------------------------------------- */

static inline u64 rank_of(double score) {
    u64 bits;
    score += 0.0; /* -0.0 + 0.0 is 0.0 */
    memcpy(&bits, &score, sizeof bits);
    return bits ^ ((0 - (bits >> 63)) | SIGN);
}

static inline double score_of(u64 rank) {
    double score;
    u64 bits = rank ^ (((rank >> 63) - 1) | SIGN);
    memcpy(&score, &bits, sizeof score);
    return score;
}

static int width_of(u64 number) {
    int width = 0;
    for (; number; number >>= 1) width++;
    return width;
}

/* The slot of each of some rows. Every step is monotone, rounded or not, and the clamps keep any
   number, NaN included, within the slots. */
static void slots_of(const Plan *plan, const double *scores, size_t count, uint32_t *slots) {
    if (plan->grid > 0.0) {
        for (size_t i = 0; i < count; i++) {
            double place = (plan->top - scores[i]) * plan->grid;
            place = place > 0.0 ? place : 0.0;
            slots[i] = (uint32_t)(int32_t)(place < plan->last ? place : plan->last);
        }
    } else {
        const u64 last = (u64)plan->last;
        for (size_t i = 0; i < count; i++) {
            u64 place = (plan->ceiling - rank_of(scores[i])) >> plan->shift;
            slots[i] = (uint32_t)(place < last ? place : last);
        }
    }
}

static inline u64 label_of(const char *labels, size_t size, size_t row) {
    u64 label;
    if (size == 1) return labels[row] & 1;
    memcpy(&label, labels + 8 * row, 8);
    return label & 1;
}

/* -- sorting a stream: stable, linear in its length ---------------------------------------------- */

/* NAME_spread copies keys from `from` to `to`, in order of their bins: bins even in the key from the
   lowest to the highest. table[b] is where bin b starts, table[b + 1] where it ends. If all keys
   are equal there is one bin and nothing is copied.
   NAME_settle copies them back in order: by insertion, which moves almost nothing, or where a bin
   is too full by spreading that bin anew. */
#define DEFINE_SORT(NAME, ITEM, KEY)                                                             \
    static Bins NAME##_spread(const ITEM *from, ITEM *to, size_t n, int bits, uint32_t *table) { \
        u64 low = UINT64_MAX, high = 0;                                                          \
        for (size_t i = 0; i < n; i++) {                                                         \
            u64 key = from[i] KEY;                                                               \
            low = key < low ? key : low;                                                         \
            high = key > high ? key : high;                                                      \
        }                                                                                        \
        Bins bins = {low, 0, 1, n};                                                              \
        table[0] = 0;                                                                            \
        if (low >= high) return bins;                                                            \
        int width = width_of(high - low);                                                        \
        bins.shift = width > bits ? width - bits : 0;                                            \
        bins.count = (size_t)((high - low) >> bins.shift) + 1;                                   \
        memset(table, 0, (bins.count + 1) * sizeof *table);                                      \
        for (size_t i = 0; i < n; i++) table[((from[i] KEY - low) >> bins.shift) + 1]++;         \
        uint32_t sum = 0, fullest = 0;                                                           \
        for (size_t b = 1; b <= bins.count; b++) {                                               \
            uint32_t here = table[b];                                                            \
            table[b] = sum;                                                                      \
            sum += here;                                                                         \
            fullest = here > fullest ? here : fullest;                                           \
        }                                                                                        \
        bins.fullest = fullest;                                                                  \
        uint32_t places[BLOCK]; /* apart from the writing, as in scatter_rows */                 \
        for (size_t i = 0; i < n; i += BLOCK) {                                                  \
            size_t here = n - i < BLOCK ? n - i : BLOCK;                                         \
            for (size_t k = 0; k < here; k++)                                                    \
                places[k] = table[((from[i + k] KEY - low) >> bins.shift) + 1]++;                \
            for (size_t k = 0; k < here; k++) to[places[k]] = from[i + k];                       \
        }                                                                                        \
        return bins;                                                                             \
    }                                                                                            \
    static void NAME##_insert(const ITEM *from, ITEM *to, size_t n) {                            \
        for (size_t i = 0; i < n; i++) {                                                         \
            ITEM item = from[i];                                                                 \
            size_t j = i;                                                                        \
            for (; j && to[j - 1] KEY > item KEY; j--) to[j] = to[j - 1];                        \
            to[j] = item;                                                                        \
        }                                                                                        \
    }                                                                                            \
    static void NAME##_sort(ITEM *keys, ITEM *room, size_t n, uint32_t *table);                  \
    static void NAME##_settle(ITEM *room, ITEM *keys, size_t n, Bins bins, uint32_t *table) {    \
        if (bins.count == 1) return;                                                             \
        if (bins.fullest <= FEW) {                                                               \
            NAME##_insert(room, keys, n);                                                        \
            return;                                                                              \
        }                                                                                        \
        for (size_t b = 0; b < bins.count; b++) {                                                \
            size_t start = table[b], size = table[b + 1] - start;                                \
            if (size <= FEW) {                                                                   \
                NAME##_insert(room + start, keys + start, size);                                 \
            } else {                                                                             \
                memcpy(keys + start, room + start, size * sizeof *keys);                         \
                NAME##_sort(keys + start, room + start, size, table + bins.count + 1);           \
            }                                                                                    \
        }                                                                                        \
    }                                                                                            \
    static void NAME##_sort(ITEM *keys, ITEM *room, size_t n, uint32_t *table) {                 \
        int bits = width_of(n);                                                                  \
        Bins bins = NAME##_spread(keys, room, n, bits < DIGIT ? bits : DIGIT, table);            \
        NAME##_settle(room, keys, n, bins, table);                                               \
    }

DEFINE_SORT(key, u64, )
DEFINE_SORT(record, Record, .key)

/* -- pairs of a slot ----------------------------------------------------------------------------- */

/* Twice the pairs (x of few, y of many) with x < y, plus those with x = y. The few are sorted and
   their bins serve as a directory: a key of the many needs its bin and the next keys of the few.
   `room` holds three keys more than there are of either. */
static u64 pairs_below(u64 *few, size_t n, u64 *many, size_t m, u64 *room, uint32_t *table) {
    u64 pairs = 0;
    if (!n || !m) return 0;
    int bits = width_of(n); /* about a key in a bin */
    Bins bins = key_spread(few, room, n, bits < DIGIT ? bits : DIGIT, table);
    if (bins.count == 1) {
        u64 above = 0;
        for (size_t i = 0; i < m; i++) above += (u64)(bins.low < many[i]) + (bins.low <= many[i]);
        return n * above;
    }
    key_settle(room, few, n, bins, table);
    if (bins.fullest > FEW) { /* ties: runs of equal keys, side by side */
        key_sort(many, room, m, table);
        for (size_t i = 0, below = 0, reached = 0; i < m; i++) {
            while (below < n && few[below] < many[i]) below++;
            while (reached < n && few[reached] <= many[i]) reached++;
            pairs += below + reached;
        }
        return pairs;
    }
    memcpy(room, few, n * sizeof *few);
    room[n] = room[n + 1] = room[n + 2] = UINT64_MAX; /* which no key of a finite score is */
    const u64 *end = room + n;
    const size_t last = bins.count - 1;
    for (size_t i = 0; i < m; i++) {
        u64 key = many[i], place = (key > bins.low ? key - bins.low : 0) >> bins.shift;
        size_t before = table[place < last ? place : last];
        const u64 *next = room + before;
        /* most bins hold three keys at most, which are counted without a branch */
        pairs += 2 * before + (next[0] < key) + (next[0] <= key) + (next[1] < key) +
                 (next[1] <= key) + (next[2] < key) + (next[2] <= key);
        for (next += 3; next < end && *next <= key; next++) pairs += 1 + (u64)(*next < key);
    }
    return pairs;
}

/* The distinct keys of two sorted streams as scores, with how many of either stream are not above it;
   returns how many distinct keys there are. */
static size_t tally_slot(const u64 *right, size_t n, const u64 *up, size_t m, u64 ceiling,
                         double *scores, int64_t *ups, int64_t *rights) {
    size_t i = 0, j = 0, row = (size_t)0 - 1;
    u64 last = ~(n && !(m && up[0] < right[0]) ? right[0] : m ? up[0] : 0); /* not the first key */
    while (i < n || j < m) {
        u64 one = i < n ? right[i] : UINT64_MAX, other = j < m ? up[j] : UINT64_MAX;
        int is_up = (other < one) | (i >= n);
        u64 key = is_up ? other : one;
        i += !is_up;
        j += is_up;
        row += key != last;
        last = key;
        scores[row] = score_of(ceiling - key);
        ups[row] = (int64_t)j;
        rights[row] = (int64_t)i;
    }
    return row + 1;
}

/* Cumulative counts of a slot, as those of its rows. */
static void to_counts(int64_t *counts, size_t n) {
    for (size_t r = n; r-- > 1;) counts[r] -= counts[r - 1];
}

/* Cumulative counts of a slot, after so many rows of the slots before, as shares of the total. */
static void to_rates(int64_t *counts, size_t n, size_t passed, size_t total) {
    const double whole = total ? (double)total : 1.0;
    double *rates = (double *)counts;
    for (size_t r = 0; r < n; r++) /* rows are fewer than 2^31; 32 bits are converted several at once */
        rates[r] = (double)(int32_t)(counts[r] + (int64_t)passed) / whole;
}

/* -- what Python calls ---------------------------------------------------------------------------- */

static PyObject *refuse(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return NULL;
}

/* The rows of one call: `size` is that of a label, 0 without labels; `width` that of what is written
   for a row: 0, the 8 bytes of a key or the 16 of a record. */
typedef struct {
    const double *scores;
    const char *labels, *loads;
    size_t size, width, room;
    u64 *places;
    char *out;
} Rows;

/* Find the stream of each row from `start` on and move its place on by one; write there, if there
   is something to write. Returns whether all places were within the room. */
static int scatter_rows(const Plan *plan, const Rows *rows, size_t start, size_t stop) {
    uint32_t streams[BLOCK];
    u64 places[BLOCK];
    for (size_t i = start; i < stop; i += BLOCK) {
        size_t here = stop - i < BLOCK ? stop - i : BLOCK;
        slots_of(plan, rows->scores + i, here, streams);
        if (rows->size == 1 && rows->width < 16)
            for (size_t k = 0; k < here; k++)
                streams[k] = 2 * streams[k] + (uint32_t)label_of(rows->labels, 1, i + k);
        else if (rows->size == 8 && rows->width < 16)
            for (size_t k = 0; k < here; k++)
                streams[k] = 2 * streams[k] + (uint32_t)label_of(rows->labels, 8, i + k);
        if (!rows->width) {
            for (size_t k = 0; k < here; k++) rows->places[streams[k]]++;
            continue;
        }
        /* apart from the writing, whose addresses would keep the next place from being read */
        u64 farthest = 0;
        for (size_t k = 0; k < here; k++) {
            u64 place = rows->places[streams[k]]++;
            FETCH((void *)((uintptr_t)rows->out + rows->width * place));
            farthest = place > farthest ? place : farthest;
            places[k] = place;
        }
        if (farthest >= rows->room) return 0; /* these rows are not those that were counted */
        if (rows->width == 8) {
            u64 *keys = (u64 *)rows->out;
            for (size_t k = 0; k < here; k++)
                keys[places[k]] = plan->ceiling - rank_of(rows->scores[i + k]);
            continue;
        }
        for (size_t k = 0; k < here; k++) {
            Record record = {plan->ceiling - rank_of(rows->scores[i + k]), i + k};
            if (rows->loads) memcpy(&record.load, rows->loads + 8 * (i + k), 8);
            if (rows->size) record.load |= label_of(rows->labels, rows->size, i + k) << 63;
            ((Record *)rows->out)[places[k]] = record;
        }
    }
    return 1;
}

/* scatter(scores, labels, loads, start, stop, (top, grid, last, ceiling, shift), places, out, width)

   With width 0 the places are counts of the rows in each stream. Labels are 0 or 1, of 1 or 8 bytes,
   or empty; in records they become the sign of the load. Without loads the load is the row. */
static PyObject *scatter(PyObject *self, PyObject *args) {
    Py_buffer scores, labels, loads, places, out;
    Py_ssize_t start, stop, width;
    unsigned long long ceiling;
    Plan plan;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*nn(dddKi)w*w*n", &scores, &labels, &loads, &start, &stop,
                          &plan.top, &plan.grid, &plan.last, &ceiling, &plan.shift, &places, &out,
                          &width))
        return NULL;
    plan.ceiling = ceiling;
    size_t n = (size_t)scores.len / 8, size = n ? (size_t)labels.len / n : 0;
    Rows rows = {scores.buf, labels.buf, loads.len ? loads.buf : NULL, size, (size_t)width, 0,
                 places.buf, out.buf};
    int valid = start >= 0 && start <= stop && (size_t)stop <= n && plan.last >= 0.0 &&
                plan.last < 65536.0 && plan.shift >= 0 && plan.shift < 64 &&
                (size_t)labels.len == size * n && (size == 0 || size == 1 || size == 8) &&
                (!loads.len || (size_t)loads.len == 8 * n) &&
                (size_t)places.len >= ((size_t)plan.last + 1) * (size && width < 16 ? 16 : 8) &&
                (width == 0 || width == 8 || width == 16);
    if (valid) {
        rows.room = width ? (size_t)out.len / rows.width : 0;
        Py_BEGIN_ALLOW_THREADS
        valid = scatter_rows(&plan, &rows, (size_t)start, (size_t)stop);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&scores);
    PyBuffer_Release(&labels);
    PyBuffer_Release(&loads);
    PyBuffer_Release(&places);
    PyBuffer_Release(&out);
    if (!valid) return refuse("these rows cannot be scattered");
    Py_RETURN_NONE;
}

enum { HALVES, TALLY, RATES, CLASSES, ORDER, WEIGHTS, TRUTH };

/* The streams of one call, what it writes, and where it works. */
typedef struct {
    int kind;
    char *items;
    const int64_t *starts;
    u64 ceiling, sum;
    double *scores, *one, *other;
    int64_t *found;
    size_t passed[2], total[2]; /* of either class: rows of the slots before, and of all slots */
    void *room;
    uint32_t *table;
} Finish;

static void finish_keys(Finish *work, size_t slot) {
    const int64_t *at = work->starts + 2 * slot;
    u64 *right = (u64 *)work->items + at[0], *up = (u64 *)work->items + at[1];
    size_t n = (size_t)(at[1] - at[0]), m = (size_t)(at[2] - at[1]);
    if (work->kind == HALVES) {
        work->sum += m <= n ? pairs_below(up, m, right, n, work->room, work->table)
                            : 2 * (u64)n * m - pairs_below(right, n, up, m, work->room, work->table);
        return;
    }
    key_sort(right, work->room, n, work->table);
    key_sort(up, work->room, m, work->table);
    if (work->kind == CLASSES) {
        double *low = work->one + (work->total[0] - work->passed[0]);
        double *high = work->other + (work->total[1] - work->passed[1]);
        for (size_t i = 0; i < n; i++) *--low = score_of(work->ceiling - right[i]);
        for (size_t i = 0; i < m; i++) *--high = score_of(work->ceiling - up[i]);
    } else { /* the scores may take the place of the keys */
        u64 *copy = memcpy(work->room, right, (n + m) * sizeof *right);
        int64_t *ups = (int64_t *)work->one + at[0], *rights = (int64_t *)work->other + at[0];
        size_t rows = tally_slot(copy, n, copy + n, m, work->ceiling, work->scores + at[0], ups, rights);
        work->found[slot] = (int64_t)rows;
        if (work->kind == TALLY) {
            to_counts(ups, rows);
            to_counts(rights, rows);
        } else {
            to_rates(ups, rows, work->passed[1], work->total[1]);
            to_rates(rights, rows, work->passed[0], work->total[0]);
        }
    }
    work->passed[0] += n;
    work->passed[1] += m;
}

static void finish_records(Finish *work, size_t slot) {
    const int64_t *at = work->starts + slot;
    Record *records = (Record *)work->items + at[0];
    size_t n = (size_t)(at[1] - at[0]);
    record_sort(records, work->room, n, work->table);
    double *scores = work->scores + at[0], *one = work->one + at[0], *other = work->other + at[0];
    for (size_t i = 0; i < n; i++) scores[i] = score_of(work->ceiling - records[i].key);
    if (work->kind == ORDER)
        for (size_t i = 0; i < n; i++) memcpy(one + i, &records[i].load, 8);
    else if (work->kind == WEIGHTS)
        for (size_t i = 0; i < n; i++) { /* the sign of a weight is its label */
            u64 bits = records[i].load & ~SIGN, is_up = 0 - (records[i].load >> 63);
            u64 up = bits & is_up, right = bits & ~is_up;
            memcpy(one + i, &up, 8);
            memcpy(other + i, &right, 8);
        }
    else
        for (size_t i = 0; i < n; i++) {
            memcpy(one + i, &records[i].load, 8);
            other[i] = 1.0 - one[i];
        }
}

/* Work through the slots from `first` to `last`; returns whether there was memory to do so. */
static int finish_slots(Finish *work, size_t first, size_t last) {
    size_t per_slot = work->kind < ORDER ? 2 : 1, longest = 0;
    for (size_t i = per_slot * first; i < per_slot * last; i += per_slot) {
        size_t size = (size_t)(work->starts[i + per_slot] - work->starts[i]);
        longest = size > longest ? size : longest;
    }
    work->room = malloc((longest + 3) * (work->kind < ORDER ? sizeof(u64) : sizeof(Record)));
    work->table = malloc(DEEPEST * (((size_t)1 << DIGIT) + 2) * sizeof *work->table);
    int has_memory = work->room && work->table;
    for (size_t slot = first; slot < last && has_memory; slot++)
        per_slot == 2 ? finish_keys(work, slot) : finish_records(work, slot);
    free(work->room);
    free(work->table);
    return has_memory;
}

/* finish(kind, items, starts, first, last, ceiling, scores, one, other, found) returns a count of
   half pairs (HALVES), or None and writes, at the place of each row:

   TALLY    the distinct scores of each slot, their positives and negatives, and their number
   RATES    as TALLY, but shares of the positives and of the negatives that are not below the score
   CLASSES  the negatives and the positives, each in increasing order
   ORDER    the scores and the rows in order of decreasing score
   WEIGHTS  the scores, the weights of the positives and those of the negatives (else 0)
   TRUTH    the scores, the truth f and 1 - f */
static PyObject *finish(PyObject *self, PyObject *args) {
    Py_buffer items, starts, scores, one, other, found;
    Py_ssize_t first, last;
    unsigned long long ceiling;
    Finish work = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "iw*y*nnKw*w*w*w*", &work.kind, &items, &starts, &first, &last,
                          &ceiling, &scores, &one, &other, &found))
        return NULL;
    work.items = items.buf;
    work.starts = starts.buf;
    work.ceiling = ceiling;
    work.scores = scores.buf;
    work.one = one.buf;
    work.other = other.buf;
    work.found = found.buf;
    int is_keys = work.kind < ORDER, has_memory = 1;
    size_t streams = (size_t)starts.len / 8 - 1, slots = streams / (is_keys ? 2 : 1), rows = 0;
    int valid = starts.len >= 8 && first >= 0 && first <= last && (size_t)last <= slots;
    for (size_t i = 0; valid && i <= streams; i++) {
        valid = work.starts[i] >= (int64_t)rows;
        rows = (size_t)work.starts[i];
    }
    for (size_t i = 0; valid && i < streams; i++) {
        size_t size = (size_t)(work.starts[i + 1] - work.starts[i]);
        work.total[i % 2] += size;
        if (i < 2 * (size_t)first) work.passed[i % 2] += size;
    }
    valid = valid && (size_t)items.len >= rows * (is_keys ? 8 : 16);
    size_t needed[7][4] = {
        {0, 0, 0, 0}, {rows, rows, rows, slots}, {rows, rows, rows, slots},
        {0, work.total[0], work.total[1], 0}, {rows, rows, 0, 0}, {rows, rows, rows, 0},
        {rows, rows, rows, 0},
    };
    valid = valid && work.kind >= HALVES && work.kind <= TRUTH;
    const Py_buffer *outs[4] = {&scores, &one, &other, &found};
    for (size_t i = 0; valid && i < 4; i++)
        valid = (size_t)outs[i]->len >= 8 * needed[work.kind][i];
    if (valid) {
        Py_BEGIN_ALLOW_THREADS
        has_memory = finish_slots(&work, (size_t)first, (size_t)last);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&items);
    PyBuffer_Release(&starts);
    for (size_t i = 0; i < 4; i++) PyBuffer_Release((Py_buffer *)outs[i]);
    if (!valid) return refuse("these slots cannot be finished");
    if (!has_memory) return PyErr_NoMemory();
    if (work.kind != HALVES) Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(work.sum);
}

#define LANES 1024 /* as in sums.py */
#define SUMMED 65536 /* rows that are added up together, as in sums.py */

/* moments(scores, labels, sums) adds to sums[b][0][0] the number of positives, to sums[b][1][i] their
   scores and to sums[b][2][i] all scores of the rows i, i + LANES, ..., in this order, of the b-th
   SUMMED rows. */
static PyObject *moments(PyObject *self, PyObject *args) {
    Py_buffer scores, labels, sums;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*w*", &scores, &labels, &sums)) return NULL;
    size_t n = (size_t)scores.len / 8, size = n ? (size_t)labels.len / n : 1;
    int valid = (size == 1 || size == 8) && (size_t)labels.len == size * n &&
                (size_t)sums.len >= (n + SUMMED - 1) / SUMMED * 3 * LANES * sizeof(double);
    Py_BEGIN_ALLOW_THREADS
    for (size_t start = 0; start < n && valid; start += SUMMED) {
        u64 count = 0;
        double up[BLOCK], *ups = (double *)sums.buf + start / SUMMED * 3 * LANES;
        double *restrict up_scores = ups + LANES, *restrict totals = ups + 2 * LANES;
        size_t stop = n - start < SUMMED ? n : start + SUMMED;
        for (size_t i = start; i < stop; i += BLOCK) { /* LANES is a multiple of BLOCK */
            size_t here = stop - i < BLOCK ? stop - i : BLOCK, lane = i % LANES;
            const double *score = (const double *)scores.buf + i;
            for (size_t k = 0; k < here && size == 1; k++)
                up[k] = (double)(int32_t)label_of(labels.buf, 1, i + k);
            for (size_t k = 0; k < here && size == 8; k++)
                up[k] = (double)(int32_t)label_of(labels.buf, 8, i + k);
            for (size_t k = 0; k < here && size == 1; k++) count += label_of(labels.buf, 1, i + k);
            for (size_t k = 0; k < here && size == 8; k++) count += label_of(labels.buf, 8, i + k);
            for (size_t k = 0; k < here; k++) {
                up_scores[lane + k] += up[k] * score[k];
                totals[lane + k] += score[k];
            }
        }
        ups[0] += (double)count;
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&scores);
    PyBuffer_Release(&labels);
    PyBuffer_Release(&sums);
    if (!valid) return refuse("these rows cannot be added up");
    Py_RETURN_NONE;
}

/* Where `m` queries in increasing order belong among `n` sorted scores: before their equals, or
   after them. The two ends are independent of each other, so their steps overlap. */
static void merge_places(const double *sorted, size_t n, const double *queries, size_t m, int after,
                         int64_t *out) {
    size_t low = 0, high = n, first = 0, last = m;
    while (first < last && low < high) {
        double query = queries[first];
        int is_below = after ? sorted[low] <= query : sorted[low] < query;
        out[first] = (int64_t)low;
        low += (size_t)is_below;
        first += (size_t)!is_below;
        if (first == last || low == high) break;
        query = queries[last - 1];
        is_below = after ? sorted[high - 1] <= query : sorted[high - 1] < query;
        out[last - 1] = (int64_t)high;
        high -= (size_t)!is_below;
        last -= (size_t)is_below;
    }
    for (; first < last; first++) out[first] = (int64_t)low;
}

/* places(sorted, queries, after, out) writes the place of each query, all in increasing order. */
static PyObject *places(PyObject *self, PyObject *args) {
    Py_buffer sorted, queries, out;
    int after;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*pw*", &sorted, &queries, &after, &out)) return NULL;
    int valid = out.len >= queries.len;
    if (valid) {
        Py_BEGIN_ALLOW_THREADS
        merge_places(sorted.buf, (size_t)sorted.len / 8, queries.buf, (size_t)queries.len / 8, after,
                     out.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&sorted);
    PyBuffer_Release(&queries);
    PyBuffer_Release(&out);
    if (!valid) return refuse("there is no room for these places");
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"places", places, METH_VARARGS, NULL},
    {"moments", moments, METH_VARARGS, NULL},
    {"scatter", scatter, METH_VARARGS, NULL},
    {"finish", finish, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot module_slots[] = {{0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_kernel", "Rows in order of score; driven by kernel.py.", 0, methods,
    module_slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&module); }
