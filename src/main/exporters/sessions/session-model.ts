import type { Entry } from '../../../shared/model/conversation/entry'

/** Returns the model that gave an answer; undefined where it is not known. */
export function modelNamed(entries: readonly Entry[]): string | undefined {
  for (const { metadata } of entries)
    if (typeof metadata?.model === 'string' && metadata.model !== '') return metadata.model
  return undefined
}

const providers: readonly (readonly [name: RegExp, provider: string])[] = [
  [/^claude/, 'anthropic'],
  [/^(?:gpt|o\d|codex)/, 'openai'],
  [/^gemini/, 'google'],
]

/** Returns the name of the provider that has models of such names; `unknown` for any other. */
export function providerNamed(model: string): string {
  return providers.find(([name]) => name.test(model))?.[1] ?? 'unknown'
}
