import { createRequire } from 'node:module'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { expect, it } from 'vitest'

const rules = createRequire(import.meta.url)('./dependency-cruiser.cjs')

it('every import follows the table in docs/architecture.md', async () => {
  const { output } = await cruise(
    ['src'],
    { ...rules.options, ruleSet: rules, validate: true },
    undefined,
    { tsConfig: extractTSConfig('tsconfig.json') },
  )
  const { violations, totalCruised } = (output as { summary: { violations: { rule: { name: string }; from: string; to: string }[]; totalCruised: number } }).summary

  expect(violations.map((v) => `${v.rule.name}: ${v.from} -> ${v.to}`)).toEqual([])
  // A parser that cannot read TypeScript finds nothing and passes: see docs/decisions.
  expect(totalCruised).toBeGreaterThan(20)
})
