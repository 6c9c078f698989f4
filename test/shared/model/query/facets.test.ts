import { describe, expect, it } from 'vitest'
import {
  type FacetName,
  facetChoice,
  facetFields,
  facetNames,
  withFacetChoice,
  withoutFacets,
} from '../../../../src/shared/model/query/facets'
import { parseQuery } from '../../../../src/shared/model/query/parse-query'
import type { QueryNode } from '../../../../src/shared/model/query/query'
import { drawnRandom, trialsOf } from '../../../support/drawn-alike'

/** A condition without brackets that change nothing. */
function plain(node: QueryNode): QueryNode {
  if (node.type === 'not') return { type: 'not', of: plain(node.of) }
  // A word that gets quotes gets escapes with them.
  if (node.type === 'text') return { type: 'text', text: node.text }
  if (node.type !== 'all' && node.type !== 'any') return node
  const of = node.of.map(plain).flatMap((part) => (part.type === node.type ? part.of : [part]))
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { type: node.type, of }
}
const meaning = (query: string) => {
  const { root, matchesCase, wantsWholeWords } = parseQuery(query)
  return { root: plain(root), matchesCase, wantsWholeWords }
}
const both = (a: QueryNode, b: QueryNode) => plain({ type: 'all', of: [a, b] })

describe('the choice of a facet in a query', () => {
  it.each<[string, FacetName, readonly string[]]>([
    ['utc', 'source', []],
    ['utc source:chibi', 'source', ['chibi']],
    ['source:chibi utc source:codex', 'source', ['codex']],
    ['utc (source:chibi OR source:codex)', 'source', ['chibi', 'codex']],
    ['utc -source:chibi', 'source', []],
    ['utc -(source:chibi OR source:codex)', 'source', []],
    ['(source:chibi OR utc)', 'source', []],
    ['utc OR source:chibi', 'source', []],
    ['during:2026-03 during:2026', 'month', ['2026-03']],
    ['during:2026', 'month', []],
    ['project:"my garden" (a OR b)', 'project', ['my garden']],
    ['utc role:assistant', 'role', ['agent']],
    ['utc Role:"User"', 'role', ['user']],
    ['utc source:Claude-Code', 'source', ['claude-code']],
    ['(role:assistant OR role:AGENT OR role:user)', 'role', ['agent', 'user']],
  ])('of %j, %s, is %j', (query, facet, values) => {
    expect(facetChoice(query, facet)).toEqual(values)
  })

  it.each<[string, FacetName, readonly string[], string]>([
    ['utc', 'source', ['chibi'], 'utc source:chibi'],
    ['', 'source', ['chibi'], 'source:chibi'],
    ['utc source:chibi', 'source', [], 'utc'],
    ['utc source:chibi', 'source', ['chibi', 'codex'], 'utc (source:chibi OR source:codex)'],
    ['utc (source:chibi OR source:codex)', 'source', ['codex'], 'utc source:codex'],
    ['a OR b', 'role', ['user'], '(a OR b) role:user'],
    ['(a OR b) role:user', 'role', ['agent'], '(a OR b) role:agent'],
    ['(e) => e', 'role', ['user', 'agent'], '"(e)" => e (role:user OR role:agent)'],
    ['(a b) (role:user OR role:agent)', 'role', [], 'a b'],
    ['utc', 'project', ['/home/my garden'], 'utc project:"/home/my garden"'],
    ['utc', 'project', ['C:\\"x"'], 'utc project:"C:\\\\\\"x\\""'],
    ['"never closed', 'project', ['my garden'], '"\\"never" closed project:"my garden"'],
    ['utc  -x', 'month', ['2026-03'], 'utc -x during:2026-03'],
    ['utc  -x', 'month', [], 'utc  -x'],
  ])('of %j, %s, becomes %j', (query, facet, values, expected) => {
    expect(withFacetChoice(query, facet, values)).toBe(expected)
    expect(facetChoice(expected, facet)).toEqual(values)
  })

  it('is taken out of a query for all facets at once', () => {
    expect(withoutFacets('utc source:chibi (role:user OR role:agent) tool:bash -x')).toBe('utc -x')
  })

  it('changes nothing else of what any query means, and is what was chosen', () => {
    const random = drawnRandom(63)
    const tokens = [
      ...['a', '-b', '"c d"', '-"e', '"', '(', ')', '(f', 'g)', '(x y)', '-(x y)', 'OR', 'OR'],
      ...['(h OR i)', '-(h OR -i)', '/j/i', '/etc', 'C:\\', 'title:k', 'title:"l', 'role:user'],
      ...['source:chibi', '-source:pi', '(tool:a OR tool:b)', 'during:2026-02', 'case:yes', '=>'],
      ...['(source:pi OR m)', '/usr/bin/', '-', '--n', 'project:(o)', 'model:"p q"', 'words:whole'],
    ]
    const values = ['a', 'my "garden"', 'C:\\x\\', '(y)', '/z/', 'OR']
    const sources = ['chibi', 'codex', 'pi']
    for (let trial = 0; trial < trialsOf(1200); trial++) {
      const query = Array.from(
        { length: random.below(7) },
        () => tokens[random.below(tokens.length)],
      )
        .join(' ')
        .trim()
      const facet = facetNames[random.below(facetNames.length)] ?? 'source'
      const possible = {
        ...{ source: sources, role: ['user', 'agent', 'system'], month: ['2026-02', '2025-12'] },
        ...{ project: values, type: values, tool: values, model: values },
        branch: ['current', 'left'],
      }[facet]
      const wanted = possible.filter(() => random.below(3) === 0)
      const rest = withFacetChoice(query, facet, [])
      const chosen = withFacetChoice(query, facet, wanted)
      const told = JSON.stringify({ query, facet, wanted, rest, chosen })
      const before = facetChoice(query, facet)
      const conditions = wanted.map(
        (value) => `${facetFields[facet]}:"${value.replace(/[\\"]/g, '\\$&')}"`,
      )
      const of = conditions.map((condition) => plain(parseQuery(condition).root))
      const choice: QueryNode = wanted.length === 0 ? { type: 'all', of: [] } : { type: 'any', of }
      // What is left is what was there before the choice, which was one of its conditions.
      if (before.length === 0) expect(meaning(rest), told).toEqual(meaning(query))
      expect(meaning(chosen).root, told).toEqual(both(meaning(rest).root, plain(choice)))
      expect(meaning(chosen).matchesCase, told).toBe(meaning(query).matchesCase)
      expect(facetChoice(chosen, facet), told).toEqual(
        wanted.length === 0 ? facetChoice(rest, facet) : wanted,
      )
    }
  })
})
