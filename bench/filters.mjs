/**
 * Measures what segment filters may hold: index size, and how many segments a query has to read, in percent, beside how
 * many really hold it.
 * docs/decisions/0010 shows its table.
 *
 *   node bench/filters.mjs CORPUS [--seed N] [--only NAME] [--words FILE]
 *
 * CORPUS is a folder of JSONL files with a `content` per line (see corpus-from-texts.mjs). Queries are drawn from it by
 * seed; how many segments really hold one is found by looking through all of the text.
 */
import fs from 'node:fs'
import path from 'node:path'

const flags = new Map()
const plain = []
for (let i = 2; i < process.argv.length; i++) {
  if (process.argv[i].startsWith('--')) flags.set(process.argv[i].slice(2), process.argv[++i])
  else plain.push(process.argv[i])
}
const corpus = plain[0]
if (!corpus) {
  console.error('usage: node bench/filters.mjs CORPUS [--seed N] [--only NAME] [--words FILE]')
  process.exit(2)
}
const random = seeded(Number(flags.get('seed') ?? 7))
const segmentBytes = 512 * 1024

const isWordUnit = new Uint8Array(65536) // 0 nothing, 1 word, 2 gram
for (let code = 0; code < 65536; code++) {
  const char = String.fromCharCode(code)
  if (code < 128) isWordUnit[code] = /[a-z0-9]/.test(char) ? 1 : 0
  else if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(
      char,
    )
  )
    isWordUnit[code] = 2
  else isWordUnit[code] = /[\p{L}\p{M}\p{N}]/u.test(char) ? 1 : /\p{Z}|\p{Cc}/u.test(char) ? 0 : 2
}

const hexSalt = 0x5bd1e995

const segments = readSegments()
const totalBytes = segments.reduce((sum, segment) => sum + segment.bytes, 0)
console.log(
  `${(totalBytes / 1e6).toFixed(1)} MB, ${segments.length} segments, ${(segments.reduce((n, s) => n + s.text.length, 0) / 1e6).toFixed(1)} M folded units`,
)
describe()

const queries = drawQueries()
for (const [kind, list] of Object.entries(queries)) {
  const truth = list.reduce((n, query) => n + query.truth, 0) / list.length
  console.log(
    `  ${kind}: ${list.length} queries, in ${truth.toFixed(1)} segments on average, such as ${list
      .slice(0, 4)
      .map((q) => JSON.stringify(q.text))
      .join(' ')}`,
  )
}

const only = flags.get('only')
const rows = []
for (const scheme of [
  gramFilter(3, 9.6, 7),
  gramFilter(3, 2, 1),
  gramFilter(4, 9.6, 7),
  gramFilter(4, 1.4, 1),
  tokenFilter(9.6, 7),
  tokenFilter(14.4, 10),
  hybrid('', { plain: 0.25, hex: 0.25, cjk: 0.25, joints: 0 }),
  hybrid(', joints', { plain: 0.25, hex: 0.25, cjk: 0.25, joints: 0.25 }),
  hybrid(' (chosen)', { plain: 0.4, hex: 0.45, cjk: 0.36, joints: 0.45 }),
  hybrid(', half the bits', { plain: 0.65, hex: 0.7, cjk: 0.6, joints: 0.7 }),
]) {
  if (only && !scheme.name.includes(only)) continue
  rows.push(measure(scheme))
}
const columns = Object.keys(rows[0])
console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`)
for (const row of rows) console.log(`| ${columns.map((name) => row[name]).join(' | ')} |`)

function measure(scheme) {
  const index = scheme.build(segments)
  const row = {
    scheme: scheme.name,
    'index %': ((100 * index.bytes) / totalBytes).toFixed(2),
    'made of': index.parts,
  }
  for (const [kind, list] of Object.entries(queries)) {
    let passed = 0
    let missed = 0
    for (const query of list) {
      const may = index.plan(query.text)
      for (let n = 0; n < segments.length; n++) {
        if (may[n]) passed++
        else if (segments[n].text.includes(query.text)) missed++
      }
    }
    if (missed > 0) throw new Error(`${scheme.name} missed ${missed} segments (${kind})`)
    const truth = list.reduce((n, query) => n + query.truth, 0)
    row[kind] =
      `${((100 * passed) / list.length / segments.length).toFixed(1)} (${((100 * truth) / list.length / segments.length).toFixed(1)})`
  }
  return row
}

/* ---- the schemes ---- */

/** Every run of `size` folded units without white space, in a bloom filter a segment. */
function gramFilter(size, bitsEach, hashes) {
  return {
    name: `${size}-grams, ${bitsEach} bits`,
    build(all) {
      const filters = all.map((segment) => {
        const seen = new Set()
        eachGram(segment.text, size, (hash) => seen.add(hash))
        return bloomOf(seen, bitsEach, hashes)
      })
      return {
        bytes: filters.reduce((sum, filter) => sum + filter.bits.length, 0),
        parts: '',
        plan(query) {
          const grams = []
          eachGram(query, size, (hash) => grams.push(hash))
          return filters.map((filter) => grams.every((hash) => holds(filter, hash)))
        },
      }
    },
  }
}

/** Whole tokens in a filter a segment, all tokens in one vocabulary; CJK by uni- and bigrams, random tokens by 4-grams. */
function tokenFilter(bitsEach, hashes) {
  return {
    name: `tokens + vocabulary, ${bitsEach} bits`,
    build(all) {
      const vocabulary = new Set()
      const filters = all.map((segment) => {
        const tokens = new Set()
        const grams = new Set()
        eachTerm(
          segment.text,
          (token) => tokens.add(token),
          (gram) => grams.add(gram),
        )
        const hashesOf = new Set(grams)
        for (const token of tokens) {
          vocabulary.add(token)
          hashesOf.add(hashText(token))
        }
        return bloomOf(hashesOf, bitsEach, hashes)
      })
      const words = `\n${[...vocabulary].sort().join('\n')}\n`
      const filterBytes = filters.reduce((sum, filter) => sum + filter.bits.length, 0)
      const wordBytes = frontCoded(vocabulary)
      return {
        bytes: filterBytes + wordBytes,
        parts: `filters ${pct(filterBytes)}, words ${pct(wordBytes)}`,
        plan: (query) =>
          planTerms(
            query,
            all.length,
            (part) => {
              const found = wordsWith(words, part)
              return filters.map((filter) => found.some((word) => holds(filter, hashText(word))))
            },
            (gram) => filters.map((filter) => holds(filter, gram)),
          ),
      }
    },
  }
}

/** Words with the exact list of their segments; random tokens, CJK and joints by small filters a segment, as full as said. */
function hybrid(name, fullest) {
  const positions = { plain: 1, hex: 1, cjk: 2, joints: 1 }
  return {
    name: `words + lists + small filters${name}`,
    build(all) {
      const places = new Map()
      const sizes = { plain: 0, hex: 0, cjk: 0, joints: 0 }
      const filters = all.map((segment, n) => {
        const grams = { plain: new Set(), hex: new Set(), cjk: new Set(), joints: new Set() }
        eachTerm(
          segment.text,
          (token) => {
            const list = places.get(token)
            if (list === undefined) places.set(token, [n])
            else if (list[list.length - 1] !== n) list.push(n)
          },
          (gram, kind) => grams[kind].add(gram),
        )
        if (fullest.joints) eachJoint(segment.text, (gram) => grams.joints.add(gram))
        const own = {}
        for (const kind of Object.keys(sizes)) {
          own[kind] = shrunk(grams[kind], fullest[kind], positions[kind])
          sizes[kind] += own[kind].length
        }
        return own
      })
      const words = `\n${[...places.keys()].sort().join('\n')}\n`
      const wordBytes = frontCoded(places.keys())
      let listBytes = 0
      for (const list of places.values())
        listBytes += Math.min(
          list.length + (list.length > 1 ? 1 : 0),
          Math.ceil(all.length / 8) + 1,
        )
      const has = (kind, gram) =>
        filters.map((filter) => hasBits(filter[kind], gram, positions[kind]))
      return {
        bytes: Object.values(sizes).reduce((a, b) => a + b) + wordBytes + listBytes,
        parts: `words ${pct(wordBytes)}, lists ${pct(listBytes)}, ${Object.entries(sizes)
          .map(([kind, bytes]) => `${kind} ${pct(bytes)}`)
          .join(', ')}`,
        plan(query) {
          const may = planTerms(
            query,
            all.length,
            (part) => {
              const may = new Array(all.length).fill(false)
              for (const word of wordsWith(words, part))
                for (const n of places.get(word)) may[n] = true
              return may
            },
            (gram, kind) => has(kind, gram),
          )
          if (fullest.joints)
            eachJoint(query, (gram) =>
              has('joints', gram).forEach((yes, n) => {
                may[n] = may[n] && yes
              }),
            )
          return may
        },
      }
    },
  }
}

/** A filter of 2^17 bits, folded in halves as long as it is not too full. */
function shrunk(hashes, fullest, positions) {
  if (hashes.size === 0) return new Uint8Array(0)
  let bits = new Uint8Array(1 << 14)
  for (const hash of hashes)
    for (const at of bitsOf(hash, bits, positions)) bits[at >> 3] |= 1 << (at & 7)
  while (bits.length > 8) {
    const half = bits.slice(0, bits.length / 2).map((byte, i) => byte | bits[bits.length / 2 + i])
    let set = 0
    for (const byte of half) for (let b = byte; b; b &= b - 1) set++
    if (set > fullest * half.length * 8) break
    bits = half
  }
  return bits
}
function hasBits(bits, hash, positions) {
  return (
    bits.length > 0 && bitsOf(hash, bits, positions).every((at) => bits[at >> 3] & (1 << (at & 7)))
  )
}
function bitsOf(hash, bits, positions) {
  const mask = bits.length * 8 - 1
  return positions === 1
    ? [hash & mask]
    : [hash & mask, (Math.imul(hash ^ 0x7f4a7c15, 0x85ebca6b) >>> 13) & mask]
}

/* ---- terms ---- */

/** Ids, hashes, numbers: what would only swell the vocabulary. `utf8`, `x86`, `uint8array` are words. */
function isRandom(token) {
  if (token.length < 4) return false
  const digits = token.replace(/[^0-9]/g, '').length
  const turns = token.match(/[0-9](?=[^0-9])|[^0-9](?=[0-9])/g)?.length ?? 0
  if (token.length > 40 || turns > 2 || digits > 4) return true
  return digits > 0 && turns > 0 && isHex(token)
}
function isHex(token) {
  return /^[0-9a-f]+$/.test(token)
}

function eachRun(text, found) {
  let start = 0
  let kind = 0
  for (let i = 0; i <= text.length; i++) {
    const next = i < text.length ? isWordUnit[text.charCodeAt(i)] : 0
    if (next === kind) continue
    if (kind !== 0) found(kind, start, i)
    start = i
    kind = next
  }
}

function eachTerm(text, word, gram) {
  eachRun(text, (kind, start, end) => {
    if (kind === 2) {
      for (let i = start; i < end; i++) {
        gram(hashUnits(text, i, i + 1, 1), 'cjk')
        if (i + 1 < end) gram(hashUnits(text, i, i + 2, 1), 'cjk')
      }
      return
    }
    const token = text.slice(start, end)
    if (!isRandom(token)) return word(token)
    const hex = isHex(token)
    const salt = hex ? hexSalt : 0
    for (let i = start; i + 4 <= end; i++)
      gram(hashUnits(text, i, i + 4, salt), hex ? 'hex' : 'plain')
    if (hex) return
    for (let i = start; i + 3 <= end; i++) gram(hashUnits(text, i, i + 3, 0), 'plain')
  })
}

/** Where two tokens are joined, as in snake_case, a.b, a/b, a-b, a::b: some letters of both sides. */
function eachJoint(text, found) {
  const joint = /(?<=([a-z]{2}))([_./:-]|::|->)(?=([a-z]{2}))/g
  for (const match of text.matchAll(joint)) {
    const gram = match[1] + match[2] + match[3]
    found(hashUnits(gram, 0, gram.length, 77))
  }
}

/** Which segments may hold a query, from the answers for its parts. */
function planTerms(query, count, segmentsOfWordsWith, segmentsOfGram) {
  const may = new Array(count).fill(true)
  const and = (other) => {
    for (let n = 0; n < count; n++) may[n] = may[n] && other[n]
  }
  eachRun(query, (kind, start, end) => {
    if (kind === 2) {
      for (let i = start; i < end; i++) {
        and(segmentsOfGram(hashUnits(query, i, i + 1, 1), 'cjk'))
        if (i + 1 < end) and(segmentsOfGram(hashUnits(query, i, i + 2, 1), 'cjk'))
      }
      return
    }
    const part = query.slice(start, end)
    const left = start === 0 ? '' : '\n'
    const right = end === query.length ? '' : '\n'
    if (left && right && !isRandom(part)) return and(segmentsOfWordsWith(`\n${part}\n`))
    if (part.length < 3 || (isHex(part) && part.length < 4)) return
    const inWords = segmentsOfWordsWith(left + part + right)
    const grams = (salt) => {
      let all
      for (const size of salt === 0 ? [3, 4] : [4])
        for (let i = 0; i + size <= part.length; i++) {
          const these = segmentsOfGram(
            hashUnits(part, i, i + size, salt),
            salt === 0 ? 'plain' : 'hex',
          )
          all = all === undefined ? these : all.map((yes, n) => yes && these[n])
        }
      return all ?? new Array(count).fill(true)
    }
    const inRandom = grams(0)
    const inHex = isHex(part) ? grams(hexSalt) : new Array(count).fill(false)
    and(inWords.map((yes, n) => yes || inRandom[n] || inHex[n]))
  })
  return may
}

function wordsWith(words, part) {
  const found = []
  for (let at = words.indexOf(part); at >= 0; ) {
    const start = words[at] === '\n' ? at + 1 : words.lastIndexOf('\n', at) + 1
    const end = words.indexOf('\n', start)
    found.push(words.slice(start, end))
    at = words.indexOf(part, end)
  }
  return found
}

function frontCoded(tokens) {
  let before = ''
  let bytes = 0
  for (const token of [...tokens].sort()) {
    let shared = 0
    while (shared < before.length && before[shared] === token[shared]) shared++
    bytes += 1 + Buffer.byteLength(token.slice(shared)) // shared and added lengths in one byte
    before = token
  }
  return bytes
}

/* ---- hashing ---- */

function eachGram(text, size, found) {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    length = text.charCodeAt(i) > 32 ? length + 1 : 0
    if (length >= size) found(hashUnits(text, i - size + 1, i + 1, 0))
  }
}

function hashUnits(text, start, end, salt) {
  let hash = (0x811c9dc5 ^ salt) | 0
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
function hashText(text) {
  return hashUnits(text, 0, text.length, 0x9747b28c)
}

function bloomOf(hashes, bitsEach, count) {
  const size = Math.max(64, Math.ceil((hashes.size * bitsEach) / 8) * 8)
  const filter = { bits: new Uint8Array(size / 8), size, count }
  for (const hash of hashes)
    eachBit(filter, hash, (bit) => {
      filter.bits[bit >> 3] |= 1 << (bit & 7)
    })
  return filter
}
function holds(filter, hash) {
  let all = true
  eachBit(filter, hash, (bit) => {
    if ((filter.bits[bit >> 3] & (1 << (bit & 7))) === 0) all = false
  })
  return all
}
function eachBit(filter, hash, visit) {
  let a = hash
  const step = Math.imul(hash, 0x85ebca6b) | 1
  for (let i = 0; i < filter.count; i++) {
    visit(Math.floor(((a >>> 0) / 4294967296) * filter.size))
    a = (a + step) | 0
  }
}

/* ---- corpus and queries ---- */

function readSegments() {
  const all = []
  for (const name of fs
    .readdirSync(corpus)
    .filter((n) => n.endsWith('.jsonl'))
    .sort()) {
    let parts = []
    let bytes = 0
    const close = () => {
      if (bytes > 0) all.push({ bytes, text: parts.join('\n') })
      parts = []
      bytes = 0
    }
    for (const line of fs.readFileSync(path.join(corpus, name), 'utf8').split('\n')) {
      if (line === '') continue
      const { content, entry_type } = JSON.parse(line)
      parts.push(fold(entry_type === 'tool_call' ? content.replace(/\\(["\\/])/g, '$1') : content))
      bytes += Buffer.byteLength(line) + 1
      if (bytes >= segmentBytes) close()
    }
    close()
  }
  return all
}

function fold(text) {
  let now = text
  for (;;) {
    const next = now.toLowerCase().replace(/ς/g, 'σ').normalize('NFKC')
    if (next === now) return now
    now = next
  }
}

function describe() {
  let trigrams = 0
  let words = 0
  let grams = 0
  let tokens = 0
  for (const segment of segments) {
    const three = new Set()
    eachGram(segment.text, 3, (hash) => three.add(hash))
    const seen = new Set()
    const other = new Set()
    eachTerm(
      segment.text,
      (token) => seen.add(token),
      (gram) => other.add(gram),
    )
    const every = new Set()
    eachRun(segment.text, (_, start, end) => every.add(segment.text.slice(start, end)))
    trigrams += three.size
    words += seen.size
    grams += other.size
    tokens += every.size
  }
  const mean = (n) => Math.round(n / segments.length)
  console.log(
    `  a segment: ${mean(trigrams)} trigrams, ${mean(tokens)} tokens, of which ${mean(words)} words; ${mean(grams)} grams of CJK and random tokens`,
  )
}

function drawQueries() {
  const dictionary = fs
    .readFileSync(flags.get('words') ?? '/usr/share/dict/american-english', 'utf8')
    .split('\n')
    .filter((word) => /^[a-z]{5,}$/.test(word))
  const truth = (text) =>
    segments.reduce((n, segment) => n + (segment.text.includes(text) ? 1 : 0), 0)
  const sample = (regex, cut) => () => {
    for (;;) {
      const { text } = segments[Math.floor(random() * segments.length)]
      const from = Math.floor(random() * text.length)
      const match = regex.exec(text.slice(from, from + 3000))
      if (match) return cut ? cut(match[0]) : match[0]
    }
  }
  const between = (least, most) => least + Math.floor(random() * (most - least + 1))
  const inner = (word) => {
    const length = Math.min(between(4, 8), word.length - 2)
    const at = between(1, word.length - 1 - length)
    return word.slice(at, at + length)
  }
  const draw = (count, next, keep = () => true) => {
    const list = []
    const seen = new Set()
    for (let tries = 0; list.length < count && tries < 60_000; tries++) {
      const text = next()
      if (seen.has(text)) continue
      seen.add(text)
      const query = { text, truth: truth(text) }
      if (keep(query)) list.push(query)
    }
    return list
  }
  const vocabulary = [
    ...new Set(segments.flatMap((segment) => segment.text.match(/[a-z]{8,}/g) ?? [])),
  ].sort()
  const rare = (query) => query.truth >= 1 && query.truth <= 3
  const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4,}/u
  return {
    rare: draw(100, () => dictionary[Math.floor(random() * dictionary.length)], rare),
    parts: draw(
      100,
      () => inner(vocabulary[Math.floor(random() * vocabulary.length)]),
      (query) => query.truth > 0,
    ),
    'cjk 2': draw(
      100,
      sample(han, (run) => run.slice(1, 3)),
    ),
    'cjk 3-4': draw(
      100,
      sample(han, (run) => run.slice(0, between(3, 4))),
    ),
    hashes: draw(
      50,
      sample(/\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{7,}\b/, (id) =>
        random() < 0.5 ? id : id.slice(0, 7),
      ),
    ),
    names: draw(50, sample(/[a-z]+(?:_[a-z0-9]+)+/)),
    paths: draw(50, sample(/\/[a-z][\w.-]+\/[\w./-]+\w/)),
  }
}

function pct(bytes) {
  return `${((100 * bytes) / totalBytes).toFixed(2)} %`
}

/** mulberry32: small, and the same everywhere. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
