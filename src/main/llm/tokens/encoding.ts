/** The tokenizers that are bundled. */
export type EncodingName = 'cl100k_base' | 'o200k_base' | 'o200k_harmony'

/** A name ends here, or something about it follows: a date, a size, a kind. */
const end = '(?=$|[-.:@])'
/** The endings of gpt-4's and gpt-3.5's names; other makers have models whose names begin so. */
const ownKind =
  '(?:-(?:turbo|32k|16k|vision|preview|instruct|\\d{3,4}|\\d{4}-\\d{2}-\\d{2}))*(?=$|[:@])'

const hosted: readonly (readonly [name: RegExp, encoding: EncodingName])[] = [
  [new RegExp(`^(?:chatgpt-4o|gpt-(?:4o|4\\.1|4\\.5|5)|o[134]|codex-mini)${end}`), 'o200k_base'],
  [new RegExp(`^gpt-(?:4|3\\.5|35)${ownKind}`), 'cl100k_base'],
]
const open = new RegExp(`^gpt-oss${end}`)
/** Servers that have OpenAI's own models under their names. Another maker's model may have any name. */
const servers: ReadonlySet<string> = new Set(['openai', 'azure', 'openrouter', 'ft'])

/**
 * Returns the tokenizer of a model, by its name: `gpt-4o-2024-08-06`, `openai/gpt-5-mini`,
 * `openai/gpt-oss-20b:free`, `ft:gpt-4o-mini-2024-07-18:shop::id`. Undefined where it is not bundled or not known.
 */
export function encodingOf(model: string): EncodingName | undefined {
  const path = model.trim().toLowerCase().replace(/^ft:/, 'ft/').split('/')
  const name = path.pop() ?? ''
  // Any server can have its open weights, and others repack them under their own names.
  if (open.test(name)) return 'o200k_harmony'
  if (!path.every((owner) => servers.has(owner))) return undefined
  return hosted.find(([pattern]) => pattern.test(name))?.[1]
}
