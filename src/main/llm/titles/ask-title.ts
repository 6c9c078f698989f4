import type { Scrub } from '../../settings/base/scrub'
import { askModel, type ModelCaller } from '../compaction/ask-model'
import { cleanTitle } from './clean'
import type { Excerpt, Spoken } from './excerpt'
import { redactSecrets } from './redact-secrets'
import { titleRequest } from './title-prompt'

/** What a model made of it. `failed` says why in a sentence. */
export type TitleAnswer =
  | { readonly type: 'titled'; readonly title: string; readonly model: string }
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** Longer than any message is shown, so that no key is cut before it is looked for. In characters. */
const lookedAt = 10_000

/** The text that is sent: never a key. */
export function sentText(excerpt: Excerpt, scrub: Scrub): string {
  const clean = ({ speaker, text }: Spoken): Spoken => ({
    speaker,
    text: redactSecrets(text.slice(0, lookedAt), scrub),
  })
  return titleRequest({
    ...excerpt,
    beginning: excerpt.beginning.map(clean),
    end: excerpt.end.map(clean),
  })
}

/** Asks a model for a title, once. Never rejects but for mistakes of ours. */
export async function askForTitle(
  excerpt: Excerpt,
  how: { readonly condenser: ModelCaller; readonly prompt: string; readonly scrub: Scrub },
  signal: AbortSignal,
): Promise<TitleAnswer> {
  const { condenser, prompt, scrub } = how
  const said = await askModel(prompt, sentText(excerpt, scrub), condenser, signal)
  if (said.type !== 'said') return said
  const title = cleanTitle(redactSecrets(said.text, scrub), said.isCut)
  if (title === undefined)
    return { type: 'failed', words: 'What the model answered is not a title.' }
  return { type: 'titled', title, model: said.model }
}
