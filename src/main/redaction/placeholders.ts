/** Texts that stand for a secret, and are none: variables, marks, words of documentation. */
const placeholder =
  /^(?:\$|\{|<|%|\*{3}|x{3}|X{3}|\.{2}|…|\[|\(|your|my[_-]|change-?me|example|placeholder|insert|replace|null|none|nil|undefined|true|false|process\.|os\.|env\.|getenv|import\.|secrets?\.|self\.|this\.|config\.|settings\.|args\.|options\.|string|optional|required|redacted)/iu

/** Tells whether a text stands for a secret and is none. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text) || text.includes('${') || text.includes('{{')
}

/** Tells whether a text looks as if a machine or a careful person had made it up: letters with digits or signs. */
export function isLikelySecret(text: string): boolean {
  return /[A-Za-z]/.test(text) && (/\d/.test(text) || /[!@#$%^&*?~+=/]/.test(text))
}
