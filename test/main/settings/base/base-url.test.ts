import { expect, it } from 'vitest'
import { shownAddress } from '../../../../src/main/settings/base/base-url'

it.each([
  ['https://one.example/v1/@team', 'https://one.example/v1/@team'],
  ['https://ada:word@one.example/v1', 'https://•••@one.example/v1'],
  ['https://one.example/v1?key=word', 'https://one.example/v1?•••'],
  // None that a program could use: a slip, or half of one.
  ['ada:word@one.example/v1', '•••@one.example/v1'],
  ['https://ada:wo rd@one.exa mple/v1', 'https://•••@one.exa mple/v1'],
  ['ftp://ada:word@one.example', 'ftp://•••@one.example'],
  ['localhost:8080/v1?key=word', 'localhost:8080/v1?•••'],
  ['one.example/v1#word', 'one.example/v1#•••'],
  ['one.example/v1', 'one.example/v1'],
])('shows of the address %j, which may hold a key, %j', (address, shown) => {
  expect(shownAddress(address)).toBe(shown)
})
