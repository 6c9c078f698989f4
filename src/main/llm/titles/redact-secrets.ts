import type { Scrub } from '../../settings/base/scrub'

// What keys of widely used services look like; a word that only begins so is left alone.
const keys =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:gh[oprsu]|github_pat|glpat|xox[abeprs]|hf|npm)[-_][A-Za-z0-9_-]{16,}|\bAKIA[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}|\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/g
const privateKeys =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/**
 * Redacts the endpoint's key, and everything that looks like a key of a widely used service: a title is shown in
 * lists and kept in files.
 */
export function redactSecrets(text: string, scrub: Scrub): string {
  return scrub(text).replace(privateKeys, '[key]').replace(keys, '[key]')
}
