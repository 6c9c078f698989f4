import type { Scrub } from '../../settings/base/scrub'
import { askModel, type ModelCaller } from '../compaction/ask-model'
import { cleanTitle } from './clean'
import type { Excerpt, Spoken } from './excerpt'
import { titleRequest } from './title-prompt'

/** The outcome of asking a model for a title. `failed` gives the reason in a sentence. */
export type TitleAnswer =
  | { readonly type: 'titled'; readonly title: string; readonly model: string }
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** Longer than any message is shown, so that no key is cut before it is redacted. In characters. */
const searchedLength = 10_000

// What keys of widely used services look like; a word that only begins so is left alone.
const keys =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:gh[oprsu]|github_pat|glpat|xox[abeprs]|hf|npm)[-_][A-Za-z0-9_-]{16,}|\bAKIA[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}|\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/g
const privateKeys =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** Writes the text that is sent for a title: without any key. */
export function sentText(excerpt: Excerpt, scrub: Scrub): string {
  const clean = ({ speaker, text }: Spoken): Spoken => ({
    speaker,
    text: redactSecrets(text.slice(0, searchedLength), scrub),
  })
  return titleRequest({
    ...excerpt,
    beginning: excerpt.beginning.map(clean),
    end: excerpt.end.map(clean),
  })
}

/** Asks a model for a title, once. Rejects only for programming errors. */
export async function askForTitle(
  excerpt: Excerpt,
  how: { readonly caller: ModelCaller; readonly prompt: string; readonly scrub: Scrub },
  signal: AbortSignal,
): Promise<TitleAnswer> {
  const { caller, prompt, scrub } = how
  const answer = await askModel(prompt, sentText(excerpt, scrub), caller, signal)
  if (answer.type !== 'answered') return answer
  const title = cleanTitle(redactSecrets(answer.text, scrub), answer.isCut)
  if (title === undefined) return { type: 'failed', words: "The model's answer is not a title." }
  return { type: 'titled', title, model: answer.model }
}

/**
 * Redacts the endpoint's key, and everything that looks like a key of a widely used service: a title is shown in
 * lists and kept in files.
 */
function redactSecrets(text: string, scrub: Scrub): string {
  return scrub(text).replace(privateKeys, '[key]').replace(keys, '[key]')
}
