import { expect, it } from 'vitest'
import { channels } from '../src/shared/ipc/channels'
import { contractNames, namesOfContract } from './contract-names'

it('puts a module with every channel of the contract, and nothing else of it, in its place', () => {
  const text = namesOfContract()
  const table: Record<string, Record<string, { kind: string }>> = JSON.parse(
    text.slice(text.indexOf('= {') + 2),
  )
  const named = (kind: string) =>
    Object.entries(table).flatMap(([domain, members]) =>
      Object.entries(members).flatMap(([name, member]) =>
        member.kind === kind ? [`${domain}.${name}`] : [],
      ),
    )
  expect(named('call')).toEqual(channels('call'))
  expect(named('event')).toEqual(channels('event'))
  expect(
    Object.values(table).flatMap((members) => Object.values(members).map(Object.keys)),
  ).toEqual([...channels('call'), ...channels('event')].map(() => ['kind']))
  expect(contractNames.transform('', '/x/src/shared/ipc/contract.ts')).toBe(text)
  expect(contractNames.transform('', '/x/src/shared/ipc/channels.ts')).toBeUndefined()
})
