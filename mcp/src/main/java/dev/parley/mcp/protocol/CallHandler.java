package dev.parley.mcp.protocol;

/** Answers calls of a tool, a prompt or a resource. */
public interface CallHandler {
  /**
   * Answers a call. It may take long; while it waits, it must check {@link Call#isCancelled}.
   *
   * @throws RpcException if it can't answer this request
   */
  Reply answer(Call call) throws InterruptedException;
}
