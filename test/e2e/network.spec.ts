import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { launchApp } from '../../scripts/electron/launch.mjs'
import { isRoot } from '../../scripts/setup/project.mjs'
import { tempFolders } from '../support/temp-folder'
import { createPerson, electronPath, launchSkein } from './support/app'

const folder = tempFolders()

/** Somebody on this machine who waits to be told something, by UDP and by TCP. */
async function listener() {
  const heard = new Set<string>()
  const udp = dgram.createSocket('udp4').on('message', () => heard.add('udp'))
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  const sockets = new Set<net.Socket>()
  const tcp = net.createServer((socket) => {
    heard.add('tcp')
    sockets.add(socket.on('error', () => undefined))
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    udp.close()
    for (const socket of sockets) socket.destroy()
    tcp.close()
  })
  const address = tcp.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at no port')
  return { heard, udp: udp.address().port, tcp: address.port }
}

/**
 * What a page tries that wants to tell somebody something past its policy: as a STUN and a TURN server, as a peer, and as
 * a host that is connected to ahead. Resolves when WebRTC has given up, or found a peer.
 */
const tellSomebody = async ({ udp, tcp }: { readonly udp: number; readonly tcp: number }) => {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = `http://127.0.0.1:${tcp}`
  document.head.append(link)
  const turn = `turn:127.0.0.1:${tcp}?transport=tcp`
  const asking = new RTCPeerConnection({
    iceServers: [
      { urls: `stun:127.0.0.1:${udp}` },
      { urls: turn, username: 'a secret', credential: 'another' },
    ],
  })
  const gathered = new Promise<void>((resolve) => {
    asking.addEventListener('icegatheringstatechange', () => {
      if (asking.iceGatheringState === 'complete') resolve()
    })
  })
  const ended = new Promise<void>((resolve) => {
    asking.addEventListener('iceconnectionstatechange', () => {
      if (asking.iceConnectionState !== 'checking') resolve()
    })
  })
  asking.createDataChannel('secrets')
  await asking.setLocalDescription(await asking.createOffer())
  const answering = new RTCPeerConnection()
  await answering.setRemoteDescription({ type: 'offer', sdp: asking.localDescription?.sdp ?? '' })
  await answering.setLocalDescription(await answering.createAnswer())
  await asking.setRemoteDescription({ type: 'answer', sdp: answering.localDescription?.sdp ?? '' })
  for (const candidate of [
    `candidate:1 1 udp 2122260223 127.0.0.1 ${udp} typ host`,
    `candidate:2 1 tcp 1518280447 127.0.0.1 ${tcp} typ host tcptype passive`,
  ])
    await asking.addIceCandidate({ candidate, sdpMid: '0' })
  await gathered
  await ended
}

it('the page reaches nobody past its policy: no STUN or TURN server, no peer, no host ahead of time', async () => {
  const { heard, udp, tcp } = await listener()
  const { page } = await launchSkein({ args: ['--sample'] })
  await page.evaluate(tellSomebody, { udp, tcp })
  expect([...heard]).toEqual([])
})

it('a page in a plain Electron reaches them by the same attempts', async () => {
  const { heard, udp, tcp } = await listener()
  const bare = folder()
  const main = `
    const { app, BrowserWindow } = require('electron')
    app.whenReady().then(() => new BrowserWindow({ show: false }).loadURL('data:text/html,<head></head>'))`
  fs.writeFileSync(path.join(bare, 'main.js'), main)
  fs.writeFileSync(path.join(bare, 'package.json'), '{ "name": "bare", "main": "main.js" }')
  const { page, close } = await launchApp({
    executable: electronPath(),
    env: createPerson().env,
    folder: bare,
    sandbox: !isRoot(),
  })
  onTestFinished(close)
  // Not waited for: what it reaches may answer nothing for long.
  void page.evaluate(tellSomebody, { udp, tcp }).catch(() => undefined)
  await expect.poll(() => [...heard].sort()).toEqual(['tcp', 'udp'])
})

it('an address of the page that is malformed is answered, and so is the next one', async () => {
  const { page, problems } = await launchSkein({ args: ['--sample'] })
  const statuses = await page.evaluate(async () => {
    const ways = ['%', '%E0%A4%A', 'audio/%/a', 'image/a/%zz', 'nothing.js', 'index.html']
    const answers = await Promise.all(ways.map((way) => fetch(`app://skein/${way}`)))
    return answers.map(({ status }) => status)
  })
  expect(statuses).toEqual([400, 400, 400, 400, 404, 200])
  // The page is told of each on its console; main of none.
  expect(problems.filter((problem) => !problem.startsWith('console: Failed to load'))).toEqual([])
})
