/**
 * A small assembler of WebAssembly's text format: one module with an imported memory and exported functions, in folded
 * expressions, with the instructions of the tables below. Anything else is an error. What it makes is the shortest form.
 */

/** A list in brackets. @typedef {{ readonly items: readonly Expression[] }} List */
/** A word, or a list. @typedef {string | List} Expression */

/** Instructions without immediates. @type {Readonly<Record<string, readonly number[]>>} */
const plain = {
  return: [0x0f],
  select: [0x1b],
  'i32.eqz': [0x45],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_s': [0x48],
  'i32.gt_s': [0x4a],
  'i32.ge_s': [0x4e],
  'i32.ctz': [0x68],
  'i32.popcnt': [0x69],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i8x16.splat': [0xfd, 0x0f],
  'i8x16.eq': [0xfd, 0x23],
  'v128.and': [0xfd, 0x4e],
  'v128.or': [0xfd, 0x50],
  'v128.any_true': [0xfd, 0x53],
  'i8x16.bitmask': [0xfd, 0x64],
}

/** Loads, with the power of two that they are aligned to by themselves. @type {Readonly<Record<string, readonly [readonly number[], number]>>} */
const loads = { 'i32.load8_u': [[0x2d], 0], 'v128.load': [[0xfd, 0x00], 4] }

/** @type {Readonly<Record<string, number>>} */
const types = { i32: 0x7f, v128: 0x7b }

/**
 * Assembles a module.
 *
 * @param {string} source
 * @returns {Uint8Array}
 */
export function assemble(source) {
  const [module, ...more] = parse(source)
  const [kind, ...fields] = list(module)
  if (kind !== 'module' || more.length > 0) throw new Error('a source is one module')
  const functions = fields.map(list).filter(([name]) => name === 'func')
  const imports = fields.map(list).filter(([name]) => name === 'import')
  if (functions.length + imports.length !== fields.length) throw new Error('an unknown field')
  const assembled = functions.map(assembleFunction)
  /** @type {string[]} */
  const signatures = []
  const typeOf = assembled.map(({ signature }) => {
    const text = signature.join()
    if (!signatures.includes(text)) signatures.push(text)
    return signatures.indexOf(text)
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      signatures.map((text) => text.split(',').map(Number)),
    ),
    ...section(2, imports.map(assembleImport)),
    ...section(3, typeOf.map(unsigned)),
    ...section(
      7,
      assembled.map(({ name }, n) => [...nameBytes(name), 0x00, ...unsigned(n)]),
    ),
    ...section(
      10,
      assembled.map(({ body }) => [...unsigned(body.length), ...body]),
    ),
  ])
}

/**
 * @param {string} source
 * @returns {Expression[]}
 */
function parse(source) {
  const tokens = source.replace(/;;.*/g, '').match(/[()]|"[^"]*"|[^\s()"]+/g) ?? []
  let at = 0
  /** @returns {Expression} */
  const expression = () => {
    const token = tokens[at++]
    if (token === undefined || token === ')') throw new Error('a bracket is missing')
    if (token !== '(') return token
    /** @type {Expression[]} */
    const inside = []
    while (tokens[at] !== ')') inside.push(expression())
    at++
    return { items: inside }
  }
  /** @type {Expression[]} */
  const all = []
  while (at < tokens.length) all.push(expression())
  return all
}

/** @param {readonly Expression[]} field */
function assembleImport([, module, name, what]) {
  const [kind, pages] = list(what)
  if (kind !== 'memory') throw new Error('only a memory is imported')
  return [
    ...nameBytes(word(module)),
    ...nameBytes(word(name)),
    0x02,
    0x00,
    ...unsigned(number(pages)),
  ]
}

/** @param {readonly Expression[]} field */
function assembleFunction([, ...parts]) {
  /** @type {Map<string, number>} */
  const names = new Map()
  /** @type {Record<'param' | 'result' | 'local', number[]>} */
  const found = { param: [], result: [], local: [] }
  let name = ''
  let at = 0
  for (; at < parts.length; at++) {
    const [kind, first, second] = list(parts[at])
    if (kind === 'export') name = word(first)
    else if (kind === 'result') found.result.push(type(first))
    else if (kind === 'param' || kind === 'local') {
      names.set(word(first), names.size)
      found[kind].push(type(second))
    } else break
  }
  const code = parts.slice(at).flatMap((one) => instruction(one, names, []))
  const { param, result, local } = found
  const signature = [0x60, param.length, ...param, result.length, ...result]
  return { name, signature, body: [...localBytes(local), ...code, 0x0b] }
}

/** Locals of one type that follow each other are one group. @param {readonly number[]} locals */
function localBytes(locals) {
  /** @type {[count: number, type: number][]} */
  const groups = []
  for (const one of locals) {
    const last = groups.at(-1)
    if (last?.[1] === one) last[0]++
    else groups.push([1, one])
  }
  return [...unsigned(groups.length), ...groups.flatMap(([count, of]) => [...unsigned(count), of])]
}

/**
 * @param {Expression} expression
 * @param {ReadonlyMap<string, number>} names of parameters and locals
 * @param {readonly string[]} labels the innermost first
 * @returns {number[]}
 */
function instruction(expression, names, labels) {
  const [head, ...rest] = list(expression)
  const operation = word(head)
  /** @param {readonly Expression[]} all */
  const inside = (all, within = labels) => all.flatMap((one) => instruction(one, names, within))
  if (operation === 'block' || operation === 'loop') {
    const [label, ...body] = rest
    const code = operation === 'block' ? 0x02 : 0x03
    return [code, 0x40, ...inside(body, [word(label), ...labels]), 0x0b]
  }
  if (operation === 'if') {
    const [, ...body] = list(rest[1])
    return [...inside(rest.slice(0, 1)), 0x04, 0x40, ...inside(body, ['', ...labels]), 0x0b]
  }
  if (operation === 'br' || operation === 'br_if') {
    const [label, ...condition] = rest
    const depth = labels.indexOf(word(label))
    if (depth < 0) throw new Error(`no label ${label}`)
    return [...inside(condition), operation === 'br' ? 0x0c : 0x0d, ...unsigned(depth)]
  }
  if (operation === 'local.get' || operation === 'local.set') {
    const [name, ...value] = rest
    const index = names.get(word(name))
    if (index === undefined) throw new Error(`no local ${name}`)
    return [...inside(value), operation === 'local.get' ? 0x20 : 0x21, ...unsigned(index)]
  }
  if (operation === 'i32.const') return [0x41, ...signed(number(rest[0]))]
  const load = loads[operation]
  if (load !== undefined) {
    const offset = rest.find((one) => typeof one === 'string')
    const from = offset === undefined ? 0 : number(word(offset).replace('offset=', ''))
    const address = rest.filter((one) => typeof one !== 'string')
    return [...inside(address), ...load[0], load[1], ...unsigned(from)]
  }
  const code = plain[operation]
  if (code === undefined) throw new Error(`no instruction ${operation}`)
  return [...inside(rest), ...code]
}

/**
 * @param {number} id
 * @param {readonly (readonly number[])[]} items
 */
function section(id, items) {
  const body = [...unsigned(items.length), ...items.flat()]
  return [id, ...unsigned(body.length), ...body]
}

/** LEB128. @param {number} value */
function unsigned(value) {
  const bytes = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest]
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** @param {number} value */
function signed(value) {
  const bytes = []
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f
    if (rest >> 6 === 0 || rest >> 6 === -1) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

/** @param {string} name with or without its quotes */
function nameBytes(name) {
  const bytes = Buffer.from(name.replace(/^"|"$/g, ''))
  return [...unsigned(bytes.length), ...bytes]
}

/** @param {Expression | undefined} expression */
function list(expression) {
  if (typeof expression !== 'object') throw new Error(`${expression} is no list`)
  return expression.items
}

/** @param {Expression | undefined} expression */
function word(expression) {
  if (typeof expression !== 'string') throw new Error('a list in the place of a word')
  return expression
}

/** @param {Expression | undefined} expression */
function number(expression) {
  const value = Number(expression)
  if (!Number.isInteger(value)) throw new Error(`${expression} is no whole number`)
  return value
}

/** @param {Expression | undefined} expression */
function type(expression) {
  const code = types[word(expression)]
  if (code === undefined) throw new Error(`no type ${expression}`)
  return code
}
