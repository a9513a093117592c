// Opens an annotated game in Sabaki's parser and compares it with the original game.
//
// Usage: node .ci/check_annotated.mjs FOLDER ORIGINAL ANNOTATED
//
// FOLDER is where `npm install @sabaki/sgf` was run. Exits with 0 if nothing of the original is lost: every node
// exists with all properties unchanged, except comments, which may have more text, and win rates (SBKV).

import {createRequire} from 'node:module'
import {join, resolve} from 'node:path'

const [folder, original, annotated] = process.argv.slice(2)
const sgf = createRequire(join(resolve(folder), 'package.json'))('@sabaki/sgf')

// Properties that an annotation may replace.
const REWRITTEN = ['SBKV']

const clean = text => text.replace(/\r\n?/g, '\n').trim()

function losses(before, after) {
  const found = []
  for (const [name, values] of Object.entries(before.data)) {
    const now = after.data[name] ?? []
    if (name === 'C') {
      if (!clean(now[0] ?? '').includes(clean(values[0]))) found.push(`the comment ${values[0]} became ${now[0]}`)
    } else if (!REWRITTEN.includes(name) && JSON.stringify(now) !== JSON.stringify(values)) {
      found.push(`${name} ${JSON.stringify(values)} became ${JSON.stringify(now)}`)
    }
  }
  return found
}

function compare(before, after, path, problems) {
  problems.push(...losses(before, after).map(loss => `${path}: ${loss}`))
  let at = 0
  before.children.forEach((child, number) => {
    // The main line stays first; other variations keep their order, and new ones may come between them.
    while (number > 0 && at < after.children.length && losses(child, after.children[at]).length > 0) at++
    const found = after.children[at++]
    if (found) compare(child, found, `${path}.${number + 1}`, problems)
    else problems.push(`${path}: child ${number + 1} is lost`)
  })
}

function allNodes(root) {
  const nodes = [root]
  for (const node of nodes) nodes.push(...node.children)
  return nodes
}

function mainLine(root) {
  const moves = []
  for (let node = root; node; node = node.children[0]) moves.push([node.data.B ?? null, node.data.W ?? null])
  return JSON.stringify(moves)
}

const [before, after] = [original, annotated].map(file => sgf.parseFile(file))
const problems = []
if (before.length !== after.length) problems.push(`${before.length} games became ${after.length}`)
before.slice(0, after.length).forEach((root, game) => {
  compare(root, after[game], `${game + 1}`, problems)
  if (mainLine(root) !== mainLine(after[game])) problems.push('the main line differs')
})
const nodes = after.flatMap(allNodes)
const count = name => nodes.filter(node => name in node.data).length
for (const name of ['SBKV', 'C']) if (count(name) === 0) problems.push(`no node has ${name}`)
console.log(
  `${annotated}: Sabaki sees ${nodes.length} nodes, ${count('SBKV')} with win rates, ` +
    `${count('C')} with comments, ${problems.length} problems`
)
problems.forEach(problem => console.log(problem))
process.exit(problems.length > 0 ? 1 : 0)
