// Drives every tool of a Parley server with an official client.
// node all_tools.mjs <node_modules> <sdk|client> <stdio|http> <command or address> [words… | token]
import { readFileSync } from "node:fs"

const [modules, kind, transport, target, ...words] = process.argv.slice(2)
const base = modules + "/@modelcontextprotocol/"
const old = kind === "sdk"
const { Client } = await import(base + (old ? "sdk/dist/esm/client/index.js" : "client/dist/index.mjs"))
const client = new Client({ name: "all-tools", version: "1" }, { capabilities: {} })
if (transport === "stdio") {
  const { StdioClientTransport } =
    await import(base + (old ? "sdk/dist/esm/client/stdio.js" : "client/dist/stdio.mjs"))
  await client.connect(new StdioClientTransport({ command: target, args: words, env: process.env }))
} else {
  const { StreamableHTTPClientTransport } =
    await import(base + (old ? "sdk/dist/esm/client/streamableHttp.js" : "client/dist/index.mjs"))
  const requestInit = { headers: { Authorization: "Bearer " + words[0] } }
  await client.connect(new StreamableHTTPClientTransport(new URL(target), { requestInit }))
}
const called = new Set()
async function call(name, args) {
  const answer = await client.callTool({ name, arguments: args })
  called.add(name)
  const text = answer.content[0].text
  if (answer.isError) throw new Error(name + ": " + text)
  console.log(name + " " + text)
  return JSON.parse(text)
}
const { tools } = await client.listTools()
const task = "t-" + kind + "-" + transport
const calls = readFileSync(new URL("calls.json", import.meta.url), "utf8").replaceAll("$task", task)
for (const [name, args] of JSON.parse(calls)) {
  await call(name, args)
}
const missed = tools.map(tool => tool.name).filter(name => !called.has(name))
if (missed.length > 0) throw new Error("not called: " + missed)
const { resources } = await client.listResources()
for (const { uri } of resources) {
  const { contents } = await client.readResource({ uri })
  console.log("resource " + uri + " " + contents[0].text)
}
const { prompts } = await client.listPrompts()
for (const { name } of prompts) {
  const { messages } = await client.getPrompt({ name })
  console.log("prompt " + name + " " + messages[0].content.text.length)
}
await client.close()
console.log("all " + tools.length + " tools, " + resources.length + " resources, " + prompts.length + " prompts")
