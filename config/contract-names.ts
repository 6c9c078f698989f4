import { contract } from '../src/shared/ipc/contract'

/**
 * Plugin of the build for preload and the page: they need the names of calls and events alone. The schemas, which main checks arguments
 * with, would be built anew in each of them before the window shows anything.
 */
export const contractNames = {
  name: 'contract-names',
  enforce: 'pre' as const,
  transform: (_code: string, id: string) =>
    id.replaceAll('\\', '/').endsWith('/src/shared/ipc/contract.ts')
      ? namesOfContract()
      : undefined,
}

/** Returns the module that stands in the contract's place: the same domains and members, each with its kind alone. */
export function namesOfContract(): string {
  const kinds = Object.fromEntries(
    Object.entries(contract).map(([domain, members]) => [
      domain,
      Object.fromEntries(Object.entries(members).map(([name, { kind }]) => [name, { kind }])),
    ]),
  )
  return `export { channelOf } from './wire/transport'\nexport const contract = ${JSON.stringify(kinds)}\n`
}
