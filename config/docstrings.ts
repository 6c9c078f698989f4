import ts from 'typescript'
import { exportsOf } from './rooms'

/** Words that begin no noun phrase: a type is a thing, and its docstring names it. */
const noNoun =
  /^(what|how|whether|where|who|whom|when|why|so|as|if|is|that|of|in|by|to|for|which)$/i

/** Words in -s that are no verb in the third person. */
const noVerb = /^(this|its|as|always|lines|keys|names|whose|words|yes)$/i

/** Lists exported declarations whose docstring is missing or begins otherwise than it should: `file name fault`. */
export function docstringFaults(file: string, text: string): readonly string[] {
  const seen = new Set<string>()
  return exportsOf(file, text).flatMap((statement) => {
    const { name, kind } = declared(file, statement)
    if (name === undefined || seen.has(name)) return []
    seen.add(name) // an overload says it once
    const [first = ''] = docstringOf(statement).split(/[\s,;:.]/)
    if (first === '') return [`${file} ${name} has no docstring`]
    if (kind === 'function' && !isVerb(first))
      return [`${file} ${name} begins with “${first}”, not with a verb (“Reads”)`]
    if (kind !== 'function' && noNoun.test(first))
      return [`${file} ${name} begins with “${first}”, not with a noun`]
    return []
  })
}

const isVerb = (word: string) => /^[A-Z][a-z-]+s$/.test(word) && !noVerb.test(word)

/** The name that a statement declares, and what it is; a component is a thing on the screen. */
function declared(
  file: string,
  statement: ts.Statement,
): { readonly name?: string; readonly kind: 'function' | 'thing' } {
  const isComponent = (name: string) => file.endsWith('.tsx') && /^[A-Z]/.test(name)
  const kindOf = (name: string, isFunction: boolean) =>
    isFunction && !isComponent(name) ? 'function' : 'thing'
  if (ts.isVariableStatement(statement)) {
    const [first] = statement.declarationList.declarations
    if (first === undefined || !ts.isIdentifier(first.name)) return { kind: 'thing' }
    const { initializer } = first
    const isFunction =
      initializer !== undefined &&
      (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    return { name: first.name.text, kind: kindOf(first.name.text, isFunction) }
  }
  const name = 'name' in statement ? (statement.name as ts.Identifier | undefined)?.text : undefined
  if (name === undefined) return { kind: 'thing' }
  return { name, kind: kindOf(name, ts.isFunctionDeclaration(statement)) }
}

function docstringOf(statement: ts.Statement): string {
  return ts
    .getJSDocCommentsAndTags(statement)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .trim()
}
