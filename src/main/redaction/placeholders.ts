/** Texts that as a whole stand for a secret, and are none: variables, marks, words of documentation. */
const placeholders: readonly RegExp[] = [
  // Variables and calls of shells, of Windows, of templates, and marks.
  /^\$(?:env:)?[A-Za-z_]\w*(?:(?:->|::|\.)\w+)*(?:\[.*)?$/iu,
  /^\$(?:[({].*|\d|[@*#?!$-])$/u,
  /^%(?:[A-Za-z_]\w*%|[sdvqx@]|[({].*)$/u,
  /^(?:<[^<>]*>?|\{[^{}]*\}?|\{\{.*|\[[^[\]]*\]?|\([^()]*\)?)$/u,
  // What is masked already.
  /^(?:[*•●]{3,}\w{0,4}|[xX._*-]{3,}|[.…]+\w{0,8}|redacted|\[redacted.*)$/iu,
  /^(?:your[a-z_-]*|my[_-][a-z_-]*|change[_-]?(?:me|it|this)!?|example[a-z_-]*|placeholder[a-z_-]*|(?:insert|replace)[a-z_-]*|todo|tbd)$/iu,
  /^(?:null|none|nil|undefined|true|false|string|number|boolean|optional|required|unset|empty)$/iu,
  // Chains of members, and calls, as programs write them.
  /^(?:process|os|env|import|secrets?|self|this|config|settings|args|options)\.[\w.$?()[\]'"-]*$/u,
  /^getenv\b/u,
]

/** Tells whether a text stands for a secret and is none: the text as a whole, not its beginning. */
export function isPlaceholder(text: string): boolean {
  return (
    text.includes('${') || text.includes('{{') || placeholders.some((pattern) => pattern.test(text))
  )
}

/** Tells whether a text looks as if a machine or a careful person had made it up: letters with digits or signs. */
export function isLikelySecret(text: string): boolean {
  return /[A-Za-z]/.test(text) && (/\d/.test(text) || /[!@#$%^&*?~+=/]/.test(text))
}
