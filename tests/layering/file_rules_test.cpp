// SPDX-License-Identifier: MIT
// The rules themselves: what they let pass, and that each of them finds its fault.
#include "layering/file_rules.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace {

using layering::form_faults;
using layering::include_faults;
using Faults = std::vector<std::string>;

constexpr std::string_view kLicence = "// SPDX-License-Identifier: MIT\n";

TEST(IncludeRules, let_a_layer_include_itself_those_below_and_public_headers) {
  EXPECT_EQ(
      include_faults(
          "src/ipc/ring.cpp",
          "#include \"ipc/ring.hpp\"\n#include <sys/mman.h>\n#include <vector>\n"
          "#include <fmt/format.h>\n#include <forklift/error.hpp>\n#include \"sys/mapping.hpp\"\n"),
      Faults{});
  EXPECT_EQ(include_faults(
                "src/engine/engine.cpp",
                "#include \"stage/transfer_stage.hpp\"\n#include \"worker/worker_pool.hpp\"\n"),
            Faults{});
  EXPECT_EQ(include_faults("src/batch_writer.cpp", "#include \"ipc/slot_writer.hpp\"\n"), Faults{});
}

TEST(IncludeRules, find_a_layer_that_includes_one_above_and_name_the_line) {
  EXPECT_EQ(include_faults("src/sys/mapping.cpp", "\n  #  include \"ipc/ring.hpp\"\n"),
            Faults{"src/sys/mapping.cpp:2: sys may not include ipc (\"ipc/ring.hpp\")"});
}

TEST(IncludeRules, keep_a_child_from_reaching_the_device) {
  EXPECT_EQ(
      include_faults("src/worker/worker_loop.cpp", "#include \"device/runtime.hpp\"\n"),
      Faults{
          "src/worker/worker_loop.cpp:1: worker may not include device (\"device/runtime.hpp\")"});
  EXPECT_EQ(include_faults("src/device/runtime.cpp", "#include \"sys/unique_fd.hpp\"\n").size(),
            1U);
  EXPECT_EQ(
      include_faults("src/stage/transfer_stage.cpp", "#include \"engine/lease.hpp\"\n").size(), 1U);
}

TEST(IncludeRules, find_a_public_header_that_includes_something_private) {
  EXPECT_EQ(include_faults("include/forklift/tensor.hpp", "#include \"sys/mapping.hpp\"\n").size(),
            1U);
  EXPECT_EQ(
      include_faults("include/forklift/tensor.hpp", "#include \"forklift/dtype.hpp\"\n").size(),
      1U);
  EXPECT_EQ(include_faults("include/forklift/tensor.hpp", "#include <fmt/format.h>\n").size(), 1U);
  EXPECT_EQ(include_faults("include/forklift/tensor.hpp", "#include <Random123/philox.h>\n").size(),
            1U);
  EXPECT_EQ(include_faults("include/forklift/tensor.hpp",
                           "#include <cstddef>\n#include <forklift/dtype.hpp>\n"),
            Faults{});
}

TEST(IncludeRules, find_libtorch_outside_its_adapter) {
  constexpr std::string_view kUse = "#include <ATen/core/Tensor.h>\n";

  EXPECT_EQ(include_faults("include/forklift/torch/tensor_adapter.hpp", kUse), Faults{});
  EXPECT_EQ(include_faults("include/forklift/torch.hpp", kUse), Faults{});
  EXPECT_EQ(include_faults("include/forklift/collated.hpp", kUse).size(), 1U);
  EXPECT_EQ(
      include_faults("include/forklift/collated.hpp", "#include <forklift/torch.hpp>\n").size(),
      1U);
  EXPECT_EQ(include_faults("src/worker/worker_loop.cpp", kUse).size(), 1U);
}

TEST(IncludeRules, find_cuda_outside_its_one_file) {
  constexpr std::string_view kUse = "#include <cuda_runtime_api.h>\n";

  EXPECT_EQ(include_faults("src/device/cuda_runtime.cpp", kUse), Faults{});
  EXPECT_EQ(include_faults("src/device/handles.hpp", kUse).size(), 1U);
  EXPECT_EQ(include_faults("include/forklift/torch.hpp", kUse).size(), 1U);
}

TEST(FormRules, let_an_ordinary_header_pass) {
  EXPECT_EQ(
      form_faults("src/sys/a.hpp", std::string(kLicence) + "#pragma once\n\n#include <vector>\n"),
      Faults{});
}

TEST(FormRules, find_each_fault) {
  const std::string licence(kLicence);

  EXPECT_EQ(form_faults("a.cpp", "#include <vector>\n").size(), 1U);
  EXPECT_EQ(form_faults("a.hpp", licence).size(), 1U);
  EXPECT_EQ(form_faults("a.cpp", licence + "# define FORKLIFT_X 1\n").size(), 1U);
  EXPECT_EQ(form_faults("a.cpp", licence + "#ifdef __clang__\n#endif\n").size(), 2U);
  EXPECT_EQ(form_faults("a.cpp", licence + "namespace forklift::torch {\n").size(), 1U);
  EXPECT_EQ(form_faults("a.cpp", licence + std::string(layering::kMaxLines - 1, '\n')), Faults{});
  EXPECT_EQ(form_faults("a.cpp", licence + std::string(layering::kMaxLines, '\n')).size(), 1U);
}

}  // namespace
